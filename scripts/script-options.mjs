import { parseArgs } from 'node:util'

/**
 * The options that a script was started with. With one that it does not know it ends at once with exit code 2, with --help with 0;
 * either way it prints its line of usage, and has done nothing.
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
