/** Folders that are no part of what is built: definitions, and projections that GuardKit writes itself. */
export const OUTSIDE_THE_TREE = ['.guardkit', '.claude/progress'];
