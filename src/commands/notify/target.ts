import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { type ConfigFile, readConfig } from '../config/config-file.ts'
import type { RunOptions } from '../config/run-options.ts'
import { splitCommand } from '../values/command-words.ts'

/** Whom `--notify` tells. `shown` names it in messages, without what may be secret. */
export type NotifyTarget = (
  | { shown: string; url: URL }
  | { shown: string; command: readonly [string, ...string[]] }
) & {
  /** The config file that names it; absent if it was typed. */
  config?: ConfigFile
}

/**
 * Reads `--notify`, or `notify` of the config file. Returns undefined without a target. Throws `UserError`. A resumed run has no
 * config file, and its folder says nothing about it: only the flag counts.
 */
export function readNotifyTarget(options: RunOptions): NotifyTarget | undefined {
  const typed = options.notify
  if (typed === 'none') return undefined
  if (typed !== undefined) return requireProgram(parseTarget(typed, '--notify'))
  if (typeof options.config !== 'string' || options.resume !== undefined) return undefined
  const file = readConfig(options.config)
  const { notify } = file.config
  return notify === undefined ? undefined : { ...parseTarget(notify, file.where('notify')), config: file }
}

/** A config file may be shared with machines that lack the program: there it is a note at the end. */
function requireProgram(target: NotifyTarget): NotifyTarget {
  if ('url' in target) return target
  const [program] = target.command
  const path = program.includes('/') ? resolve(program) : program
  if (findOnPath(path) !== undefined) return target
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    const at = program.includes('/') ? program : `./${program}`
    const what = `${JSON.stringify(program)} is a file, but no program that can be started`
    throw new UserError({
      where: '--notify',
      what,
      fix: `Make it one (chmod +x), and write ${shellWord(at)}.`,
    })
  }
  const what = `there is no program ${JSON.stringify(program)}`
  throw new UserError({ where: '--notify', what, fix: 'Install it, or give its path.' })
}

// No message repeats the value: a command or an address may hold a token.
function parseTarget(given: string | readonly string[], where: string): NotifyTarget {
  const wrong = (what: string, fix: string) => new UserError({ where, what, fix })
  const [first = ''] = typeof given === 'string' ? [given.trim()] : given
  if (typeof given === 'string' && /^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    const url = URL.canParse(first) ? new URL(first) : undefined
    if (!url || !/^https?:$/.test(url.protocol))
      throw wrong('is not an address with http or https', 'Write for example --notify https://HOST/PATH.')
    return { shown: url.origin, url }
  }
  const split = typeof given === 'string' ? splitCommand(given) : { words: given }
  if ('problem' in split)
    throw wrong(
      split.problem,
      'Quote it, or put the command into a script and name that: --notify ./told.sh.',
    )
  const [program = '', ...args] = split.words
  if (program === '') throw wrong('is empty', 'Write a command, or an address with http or https.')
  return { shown: program, command: [program, ...args] }
}
