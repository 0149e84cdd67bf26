"""Who hears whom: range, occlusion and loss, from poses; for simulation and deployment alike."""
