"""The parts that games share: the contract, options, drawings and references."""
