"""The protocols for programs in any language, one module each; `catalogue` finds them."""
