"""The paper's figures: one module and one drawing function each, one style for all."""
