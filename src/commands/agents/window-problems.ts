import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { recordedName } from './recorded-name.ts'

/** Returns the problems of agents of a config file that have two context windows. */
export function windowProblems({ config, where }: Pick<ConfigFile, 'config' | 'where'>): Problem[] {
  const problems: Problem[] = []
  const seen = new Map<string, { label: string; window: number | undefined }>()
  for (const [label, agent] of Object.entries(config.agents ?? {})) {
    if (typeof agent === 'string') continue
    const { window, program } = agent
    if (window !== undefined && program?.window !== undefined && program.window !== window)
      problems.push({
        where: where('agents', label, 'window'),
        what: `is ${window}, but its program.window is ${program.window}`,
        fix: 'Remove one of the two, or give both the same number.',
      })
    const name = recordedName(label, agent)
    const other = seen.get(name)
    if (other && window !== undefined && other.window !== undefined && other.window !== window)
      problems.push({
        where: where('agents', label, 'window'),
        what: `is ${window}, but "${other.label}" is the same agent, ${name}, with ${other.window}`,
        fix: 'Give both the same window.',
      })
    seen.set(name, { label, window: window ?? other?.window })
  }
  return problems
}
