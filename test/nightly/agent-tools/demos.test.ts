import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'

/** Returns the calls of a method as the ledger has them: the names of tools, by outcome. A call of no tool is `unknown`. */
function callsOf(folder: string, method: string): Map<string, Set<string>> {
  const trials = recordsOf(folder).flatMap((record) => (record.method === method ? [record.trial] : []))
  const calls = new Map<string, Set<string>>()
  for (const step of stepsOf(folder)) {
    if (step.kind !== 'tool' || !trials.includes(step.trial)) continue
    const name = step.tool === undefined ? 'unknown' : step.call.name
    calls.set(step.outcome, (calls.get(step.outcome) ?? new Set()).add(name))
  }
  return calls
}

const sorted = (names: Iterable<string> = []) => [...names].sort()
const { it: inSandbox } = needs('bwrap')
const workspace = ['check', 'list', 'read', 'write']
const memory = ['memory_recall', 'memory_store']

describe('the demos of tools and memory', () => {
  it('make calls of each kind that they show, go wrong as the profile says, and replay', {
    timeout: 300_000,
  }, async () => {
    const folder = join(tempFolder(), 'run')
    const demos = { t: 'tools', m: 'memory', tm: 'tools_and_memory', p: 'primitives-tools' }
    const methods = Object.entries(demos).map(([label, name]) => `${label}=dag:${name}`)
    const tasks = 'answers/ferry-morning,code/line-patch,code/duration-text'
    await benchOk([
      '--tasks',
      tasks,
      '--methods',
      methods.join(),
      '--epochs',
      '4',
      '--quiet',
      '--out',
      folder,
    ])
    const calls = new Map(Object.keys(demos).map((label) => [label, callsOf(folder, label)]))
    const ok = (label: string) => sorted(calls.get(label)?.get('ok'))
    expect(ok('t')).toEqual(workspace)
    expect(ok('m')).toEqual(memory)
    expect(ok('tm')).toEqual(sorted([...workspace, ...memory]))
    expect(ok('p')).toEqual(sorted([...workspace, ...memory]))
    const denied = [...calls.values()].flatMap((one) => [...(one.get('denied') ?? [])])
    expect(denied).toContain('unknown')
    expect(denied.some((name) => name === 'read' || name === 'write')).toBe(true)
    expect([...calls.values()].some((one) => one.has('invalid'))).toBe(true)
    expect(recordsOf(folder).filter(({ fidelity }) => fidelity?.status !== 'kept')).toEqual([])
    expect(await benchOk(['replay', folder])).toMatch(/48 trials replayed from the journal: no divergence/)
  })

  inSandbox('call the server and recall the file of the guide', { timeout: 120_000 }, async () => {
    const folder = join(tempFolder(), 'run')
    const plan = ['--tasks', 'answers/ferry-morning,answers/watch-roster', '--epochs', '5', '--quiet']
    await benchOk([...plan, '--methods', 'g=dag:fixtures/tools/glossary.yaml', '--out', folder], {
      cwd: root,
    })
    const calls = callsOf(folder, 'g')
    expect(sorted(calls.get('ok'))).toEqual(sorted(['glossary__define', 'glossary__search', ...memory]))
    expect(sorted(calls.get('failed'))).toEqual([])
    const steps = stepsOf(folder).flatMap((step) =>
      step.kind === 'tool' && step.server ? [step.server] : [],
    )
    expect(steps.length).toBeGreaterThan(5)
    for (const server of steps) expect(server).toEqual({ name: 'glossary', version: '1.0.0' })
    expect(await benchOk(['replay', folder], { cwd: root })).toContain('no divergence')
  })
})

describe('what tools change', () => {
  /** Runs one method under one label, in dev mode. Returns whether each trial passed, by task and epoch. */
  async function passed(cwd: string, method: string, profile: string, more: readonly string[] = []) {
    const folder = join(tempFolder(), 'run')
    const plan = ['--tasks', 'answers', '--epochs', '8', '--seed', '11', '--profile', profile, '--quiet']
    await benchOk([...plan, '--methods', `A=${method}`, ...more, '--out', folder], { cwd })
    const key = ({ task, epoch }: TrialRecord) => `${task} ${epoch}`
    return new Map(recordsOf(folder).map((record) => [key(record), record.passed === true]))
  }

  /** Counts the trials that passed in one run and not in the other. */
  const differences = (on: ReadonlyMap<string, boolean>, off: ReadonlyMap<string, boolean>) => ({
    trials: on.size,
    won: [...on].filter(([key, is]) => is && !off.get(key)).length,
    lost: [...on].filter(([key, is]) => !is && off.get(key)).length,
  })

  /** Writes a profile in which nothing but tools makes a difference. */
  function writeProfile(folder: string, gain: string): string {
    const text = readFileSync(join(root, 'fixtures/profiles/null.yaml'), 'utf8')
      .replace(/^failures:.*$/m, 'failures: {}')
      .replace(/^tools:.*$/m, `tools: { turns: 6, parallel: 0.25, wrong: 0.05, gain: ${gain} }`)
    const path = join(folder, `profile-${gain.length}.yaml`)
    writeFileSync(path, text)
    return path
  }

  it('a planted gain of memory is found against the same graph without it, and none is found where none is planted', {
    timeout: 300_000,
  }, async () => {
    const folder = tempFolder()
    const on = readFileSync(join(root, 'strategies/dag/memory.yaml'), 'utf8')
    writeFileSync(join(folder, 'on.yaml'), on)
    writeFileSync(join(folder, 'off.yaml'), on.replaceAll('tools: [memory], ', ''))
    const compare = async (gain: string) => {
      const profile = writeProfile(folder, gain)
      return differences(
        await passed(folder, 'dag:on.yaml', profile),
        await passed(folder, 'dag:off.yaml', profile),
      )
    }
    const planted = await compare('{ memory_recall: 2.5 }')
    expect(planted.trials).toBe(64)
    expect(planted.won).toBeGreaterThan(8)
    expect(planted.lost).toBeLessThanOrEqual(1)
    expect(await compare('{}')).toEqual({ trials: 64, won: 0, lost: 0 })
  })

  it('a planted gain of tools that the command line gives is found against the same method without them', {
    timeout: 300_000,
  }, async () => {
    const folder = tempFolder()
    const compare = async (gain: string) => {
      const profile = writeProfile(folder, gain)
      const tools = ['--tools', 'list,memory']
      return differences(
        await passed(folder, 'baseline', profile, tools),
        await passed(folder, 'baseline', profile),
      )
    }
    const planted = await compare('{ list: 2.5 }')
    expect(planted.won).toBeGreaterThan(8)
    expect(planted.lost).toBe(0)
    expect(await compare('{}')).toEqual({ trials: 64, won: 0, lost: 0 })
  })
})
