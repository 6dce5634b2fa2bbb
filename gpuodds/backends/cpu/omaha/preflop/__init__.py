"""Every starting hand of Omaha against a random one before the flop."""
