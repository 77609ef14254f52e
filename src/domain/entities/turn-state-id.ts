/** The id of a turn, whatever else is known of it. */
export function turnStateId(feature: string, task: string, turn: number): string {
  return `TURN-${feature}-${task}-T${turn}`;
}
