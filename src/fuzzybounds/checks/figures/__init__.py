"""The supplementary figures, in the style of the paper's."""
