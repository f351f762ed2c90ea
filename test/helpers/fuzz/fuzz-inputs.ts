import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { parseProfile } from '../../../src/agents/simulated/load-profile.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { configAgentProblems } from '../../../src/commands/agents/config-agents.ts'
import { selectAgents } from '../../../src/commands/agents/select-agents.ts'
import { type ConfigFile, parseConfig } from '../../../src/commands/config/config-file.ts'
import { locateProblem, mergeOptions } from '../../../src/commands/config/merge-options.ts'
import { configTemplate } from '../../../src/commands/init.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { humaneval } from '../../../src/suites/humaneval.ts'
import { parseTaskYaml } from '../../../src/suites/make-task.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { tempFolder } from '../machine/temp.ts'
import { readSuite } from '../suites/read-suite.ts'
import { expectProblems, type Fuzz, outcomeOf } from './fuzz.ts'
import { damage } from './mutations.ts'

/** Declares the tests that damage the files that users write. */
export function fuzzInputs(fuzz: Fuzz): void {
  it(`bench refuses a damaged task.yaml with file, line and field, or reads it correctly (${fuzz.times})`, async () => {
    const files = ['tasks/code/money-split', 'tasks/answers/lamp-paths', 'tasks/python/page-ranges'].map(
      (folder) => ({ name: basename(folder), text: readFileSync(join(packageRoot(), folder, 'task.yaml')) }),
    )
    await fuzz.check([fc.constantFrom(...files), damage], ({ name, text }, mutate) => {
      const problems: Problem[] = []
      const parsed = parseTaskYaml(mutate(text).toString(), 'task.yaml', name, problems)
      if (!parsed) return expectProblems(problems, /^task\.yaml:\d+( .+)?$/s)
      const again = parseTaskYaml(stringify(parsed.data), 'again.yaml', name, problems)
      expect(problems).toEqual([])
      expect(again?.data).toEqual(parsed.data)
    })
  })

  it(`bench refuses a damaged profile with its line, or reads it correctly (${fuzz.times})`, async () => {
    const files = ['default', 'null'].map((name) =>
      readFileSync(join(packageRoot(), 'fixtures/profiles', `${name}.yaml`)),
    )
    await fuzz.check([fc.constantFrom(...files), damage], (file, mutate) => {
      const outcome = outcomeOf(() => parseProfile(mutate(file).toString(), 'profile.yaml'))
      if ('problems' in outcome) return expectProblems(outcome.problems, /^profile\.yaml:\d+/)
      expect(parseProfile(stringify(outcome.read), 'again')).toEqual(outcome.read)
    })
  })

  it(`bench refuses a damaged line of HumanEval by its number, or reads it correctly (${fuzz.times})`, async () => {
    const path = join(tempFolder(), 'HumanEval.jsonl')
    const lines = [0, 1].map((i) => ({
      task_id: `HumanEval/${i}`,
      prompt: `def add${i}(a: int, b: int) -> int:\n    """Adds.\n    >>> add${i}(1, 2)\n    3\n    """\n`,
      entry_point: `add${i}`,
      canonical_solution: '    return a + b\n',
      test: `def check(candidate):\n    assert candidate(1, 2) == 3\n`,
    }))
    const written = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await fuzz.check([damage], async (mutate) => {
      writeFileSync(path, mutate(written))
      const { tasks, problems } = await readSuite(humaneval, path)
      if (problems.length > 0) return expectProblems(problems, /HumanEval\.jsonl(:\d+.*)?$/s)
      const kept = readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, '')
        .split('\n')
        .filter((line) => line.trim() !== '')
      expect(tasks.length).toBe(kept.length)
      tasks.forEach((task, i) => {
        const line = JSON.parse(kept[i] as string) as (typeof lines)[number]
        expect(task.hidden.solution).toEqual({
          files: { 'solution.py': line.prompt + line.canonical_solution },
        })
        expect(task.hidden.tests).toEqual({ 'check.py': line.test })
      })
    })
  })

  it(`bench refuses a damaged bench.config.yaml with line and field, or reads it and reports unknown names (${fuzz.times})`, async () => {
    const file = join(tempFolder(), 'bench.config.yaml')
    // The template with all of its examples uncommented; only live mode looks at all of them.
    const whole = Buffer.from(
      configTemplate.replace(/^# (?!yaml-language)/gm, '').replace('mode: dev', 'mode: live'),
    )
    const at = /bench\.config\.yaml:\d+( .+)?$/s
    writeFileSync(file, whole)
    expect(await unknownIn(file, parseConfig(whole.toString(), file))).toEqual([])
    await fuzz.check([damage], async (mutate) => {
      const text = mutate(whole).toString()
      writeFileSync(file, text)
      const outcome = outcomeOf(() => parseConfig(text, file))
      if ('problems' in outcome) return expectProblems(outcome.problems, at)
      expect(parseConfig(stringify(outcome.read.config), file).config).toEqual(outcome.read.config)
      const unknown = await unknownIn(file, outcome.read)
      if (unknown.length > 0) expectProblems(unknown, /bench\.config\.yaml:\d+|^--(?:methods|mode live)/)
    })
  })
}

/** Returns the problems of unknown names in a config file, as `bench run` reports them. */
async function unknownIn(file: string, config: ConfigFile): Promise<Problem[]> {
  const problems = configAgentProblems(config)
  const given = mergeOptions({ config: file })
  expect(given.config?.config).toEqual(config.config)
  const chosen = await selectMethods(given.options, given.config, problems)
  selectAgents(given, given.options.mode === 'live' ? 'live' : 'dev', chosen, problems)
  return problems.map((problem) => locateProblem(given, problem))
}
