"""Known hands of Omaha against each other, or one against a random hand."""
