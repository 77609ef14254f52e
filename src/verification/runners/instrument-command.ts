/** `go test` names its tests one by one if it is asked to; through the environment it cannot be asked for JSON. */
export function instrumentCommand(command: string): string {
  return /^\s*go\s+test(?=\s|$)/.test(command) && !/\s-json(?=\s|$)/.test(command)
    ? command.replace(/^(\s*go\s+test)/, '$1 -json')
    : command;
}
