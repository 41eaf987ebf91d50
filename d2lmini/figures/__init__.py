"""Pictures: `explore` and its panels, heatmaps, diagrams. Nothing here knows of attention."""
