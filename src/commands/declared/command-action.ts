/** Loads the module of a command, whose function returns the exit code. */
export type LoadCommand = () => Promise<{ default: (...args: never[]) => Promise<number> }>

/** Returns what Commander calls: it loads the command's module when the command is called. */
export type CommandAction = (load: LoadCommand) => (...args: unknown[]) => Promise<void>
