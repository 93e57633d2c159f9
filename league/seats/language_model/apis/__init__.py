"""The forms in which providers are asked, one module each; a catalogue finds them."""
