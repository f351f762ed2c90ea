import { parseArgs } from 'node:util'

/**
 * Returns the options that a script was started with. For an unknown option it ends the process with exit code 2, for --help with
 * 0. In both cases it prints one line of usage, and the script has done nothing.
 */
export function scriptOptions(usage, options) {
  try {
    const { help, ...values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
    if (!help) return values
    process.stdout.write(`usage: ${usage}\n`)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error.message.split('\n')[0].split('. ')[0]}; usage: ${usage}\n`)
    process.exit(2)
  }
}
