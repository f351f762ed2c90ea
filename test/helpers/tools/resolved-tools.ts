import { parseConfig } from '../../../src/commands/config/config-file.ts'
import type { MergedOptions } from '../../../src/commands/config/merge-options.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { readTools, resolveTools } from '../../../src/commands/session/equip.ts'
import { selectTools } from '../../../src/commands/tools/select-tools.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import { tempFolder } from '../machine/temp.ts'

/** Resolves the tools of a command line; `started` is the number of programs that ran. */
export async function resolvedTools(options: RunOptions, file = '', cwd = tempFolder()) {
  const problems: Problem[] = []
  const config = file === '' ? undefined : parseConfig(file, 'c.yaml')
  const given: MergedOptions = { options, config, isFromFile: () => false }
  const methods = await selectMethods(options, config, problems)
  const read = readTools(selectTools(given, methods, problems), cwd, problems)
  let started = 0
  const sandbox: SandboxRun = (...args) => {
    started++
    return spawnUnsandboxed(...args)
  }
  const { signal } = new AbortController()
  const resolved =
    problems.length > 0
      ? { tools: new Map() }
      : await resolveTools(read, { cwd, sandbox, signal, redact: undefined }, problems)
  return {
    tools: Object.fromEntries(resolved.tools),
    problems: problems.map(formatProblem),
    notes: read.notes,
    files: read.files,
    started,
  }
}
