"""The protocols that programs of any language speak, a module each; `catalogue` finds them."""
