// Packs files as a zip without compression.
// Source: PKWARE, APPNOTE.TXT, .ZIP File Format Specification, 6.3.

const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let found = number;
  for (let bit = 0; bit < 8; bit++) found = found & 1 ? (found >>> 1) ^ 0xedb88320 : found >>> 1;
  return found >>> 0;
});

function crc32(data) {
  let found = 0xffffffff;
  for (const byte of data) found = TABLE[(found ^ byte) & 0xff] ^ (found >>> 8);
  return (found ^ 0xffffffff) >>> 0;
}

// Writes numbers of two or four bytes, the least significant first.
function numbers(...pairs) {
  const size = pairs.reduce((sum, [, bytes]) => sum + bytes, 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  for (const [value, bytes] of pairs) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

const UTF8 = 0x0800;
const EPOCH = (1 << 5) | 1;

export function zipped(files) {
  const parts = [];
  const table = [];
  let at = 0;
  for (const [path, data] of files) {
    const name = new TextEncoder().encode(path);
    const facts = [[UTF8, 2], [0, 2], [0, 2], [EPOCH, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [name.length, 2], [0, 2]];
    const head = numbers([0x04034b50, 4], [20, 2], ...facts);
    table.push(numbers([0x02014b50, 4], [20, 2], [20, 2], ...facts, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
    parts.push(head, name, data);
    at += head.length + name.length + data.length;
  }
  const size = table.reduce((sum, each) => sum + each.length, 0);
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
  return new Blob([...parts, ...table, end]);
}
