"""A match in motion as a GIF, for places that show no SVG."""

import io
from dataclasses import dataclass

from league.analysis.replay import Replay
from league.interchange.export import OneMatch
from league.model.errors import SetupError
from league.render.match_pictures import END_S, FRAME_S, still


@dataclass(frozen=True)
class Gif(OneMatch):
    """All positions one after the other, each for `delay_s` seconds, `width` pixels wide."""

    delay_s: float = FRAME_S
    width: int = 400

    name = "gif"
    suffix = ".gif"
    media_type = "image/gif"

    def text(self, replay: Replay) -> bytes:
        """Paint the match; raise `SetupError` where the extra `gif` is not installed."""
        try:
            import resvg_py  # noqa: PLC0415 (an extra)
            from PIL import Image  # noqa: PLC0415 (an extra)
        except ImportError:
            raise SetupError("a GIF needs the extra 'gif': pip install 'botleague[gif]'") from None
        images = []
        for frame in replay.frames:
            painted = resvg_py.svg_to_bytes(
                svg_string=still(frame), width=self.width, background="#ffffff"
            )
            images.append(Image.open(io.BytesIO(painted)).convert("RGB"))
        # One palette for all: colours must not flicker from frame to frame.
        chosen = images[:: max(1, len(images) // SAMPLES)]
        strip = Image.new("RGB", (self.width, sum(image.height for image in chosen)))
        for number, image in enumerate(chosen):
            strip.paste(image, (0, sum(each.height for each in chosen[:number])))
        palette = strip.quantize(COLOURS)
        first, *rest = [
            image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images
        ]
        step_ms = round(self.delay_s * 1000)
        file = io.BytesIO()
        first.save(
            file,
            "GIF",
            save_all=True,
            append_images=rest,
            duration=[*[step_ms] * len(rest), step_ms + round(END_S * 1000)],
            loop=0,
        )
        return file.getvalue()


COLOURS = 256
SAMPLES = 8
"""From how many positions the palette is taken."""

EXPORT = Gif()
