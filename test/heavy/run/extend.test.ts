import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreignFiles } from '../../../src/commands/prune/judge-run.ts'
import { filesOf, reportOf, runShards } from '../../cli/run/shard-scenario.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  recordLines,
  recordsOf,
  refused,
  root,
  shareProcess,
  stepsOf,
  wholeLines,
} from '../../helpers/runs/cli.ts'
import { writeNumberTask } from '../../helpers/scenarios/changing-run.ts'

shareProcess()

const few = 'ferry-morning,lamp-paths'
const run = async (...options: string[]) => {
  const folder = join(tempFolder(), 'run')
  await benchOk([...options, '--out', folder, '--quiet'])
  return folder
}
const extend = (folder: string, ...more: string[]) => benchOk(['--extend', folder, ...more, '--quiet'])

/** The files of a run but for what its path, time and number of sessions decide, and the lines of its records. */
const rest = ({
  'run.json': _,
  'sessions.jsonl': __,
  'amendments.jsonl': ___,
  'looks.jsonl': ____,
  ...files
}: Files) => Object.keys(files).sort()
type Files = Record<string, string>

describe('a run that is extended', () => {
  it('is as one that was planned so, and its old records stay byte for byte', async () => {
    const folder = await run(...argv`--tasks ${few} --methods baseline`)
    const [before, steps] = ['records.jsonl', 'steps.jsonl'].map((file) => wholeLines(join(folder, file)))
    const manifest = readFileSync(join(folder, 'run.json'), 'utf8')
    await extend(folder, ...argv`--epochs 2`)
    await extend(folder, ...argv`--tasks word-rewriting --methods self-consistency --epochs 3`)
    const whole = await run(
      ...argv`--tasks ${few},word-rewriting --methods baseline,self-consistency --epochs 3`,
    )
    expect(recordLines(folder)).toEqual(recordLines(whole))
    expect(wholeLines(join(folder, 'records.jsonl'))).toEqual(expect.arrayContaining(before as string[]))
    expect(wholeLines(join(folder, 'steps.jsonl')).slice(0, steps?.length)).toEqual(steps)
    expect(readFileSync(join(folder, 'run.json'), 'utf8')).toBe(manifest)
    expect(new Set(recordsOf(folder).map(({ task }) => task)).size).toBe(3)
    expect(await benchOk(['replay', folder])).toContain('no divergence')
    expect(await benchOk(['show', folder])).toMatch(
      /extended to 2 epochs during the run, after 2 of 2 trials .*extended to 3 epochs, extended to the methods baseline, self-consistency, 1 task \(answers\/word-rewriting\) was added/,
    )
  })

  it('twice equals one that is extended once, but for amendments and looks', async () => {
    const [twice, once] = await Promise.all([1, 2].map(() => run(...argv`--tasks ${few} --methods baseline`)))
    await extend(twice as string, ...argv`--methods self-consistency`)
    await extend(twice as string, ...argv`--epochs 2`)
    await extend(once as string, ...argv`--methods self-consistency --epochs 2`)
    expect(recordLines(twice as string)).toEqual(recordLines(once as string))
    expect(rest(filesOf(twice as string))).toEqual(rest(filesOf(once as string)))
    const tables = async (folder: string) =>
      (await reportOf(folder)).replace(/extended to .*? as it was\.|\d+ looks?/g, '')
    expect(await tables(twice as string)).toBe(await tables(once as string))
    const again = await bench(['--extend', once as string, ...argv`--epochs 2 --quiet`])
    expect(again.stderr).toContain('the run has all of that already, so it only goes on')
    expect(recordLines(once as string)).toEqual(recordLines(twice as string))
  })

  it('gets a second set of agents: its records are those of the first, and pair with the new ones', async () => {
    const worker = join(root, 'fixtures/agents/paid-worker.mjs')
    const cwd = tempFolder()
    for (const name of ['one.mjs', 'two.mjs']) copyFileSync(worker, join(cwd, name))
    const plan = argv`--mode live --tasks ${few} --methods baseline --trust-code --quiet`
    await benchOk([...plan, ...argv`--agents scripted:one.mjs --out run`], { cwd })
    const before = wholeLines(join(cwd, 'run/records.jsonl'))
    const said = await bench(argv`--extend run --agents scripted:two.mjs --trust-code --quiet`, { cwd })
    expect(said.code, said.stderr).toBe(0)
    expect(said.stderr).toMatch(
      /results of 2 trials could be seen before this: it counts as a look, so .*plan all of it/,
    )
    await benchOk([...plan, ...argv`--agents scripted:one.mjs,scripted:two.mjs --out whole`], { cwd })
    const ids = (folder: string) => recordsOf(join(cwd, folder)).map(({ trial }) => trial)
    expect(ids('run')).toEqual(ids('whole'))
    expect(wholeLines(join(cwd, 'run/records.jsonl'))).toEqual(expect.arrayContaining(before))
    expect(readdirSync(join(cwd, 'run'))).toEqual(expect.arrayContaining(['amendments.jsonl', 'looks.jsonl']))
    expect(foreignFiles(join(cwd, 'run'))).toEqual([])
    const report = await benchOk(['report', 'run'], { cwd })
    expect(report).toMatch(/2 sets of agents each on 2 tasks, 1 epoch each; live; 4 trials, none missing/)
    expect(report).toMatch(/not tested: trials were added after a look/)
    expect(await benchOk(['replay', 'run', '--trust-code'], { cwd })).toContain('no divergence')
  })

  it('asks the agents that its roles have, of the profile that its config file named, for all that is added', async () => {
    const config = `run: { profile: ./own.yaml }
methods:
  by-tag:
    strategy: router
    options: { table: 'tag=even:route-2', otherwise: route-1 }
    roles: { route-1: small, route-2: large }
agents: { small: simulated:cheap, large: simulated:dear }
`
    const tasks = (name: string) =>
      [1, 2].map((n) =>
        JSON.stringify({ id: `${name}${n}`, question: 'q', answer: '1', tags: n % 2 ? 'odd' : 'even' }),
      )
    const cwd = folderOf({
      ...{ 'bench.config.yaml': config, 'a.jsonl': tasks('a').join('\n'), 'b.jsonl': tasks('b').join('\n') },
      'own.yaml': readFileSync(join(root, 'fixtures/profiles/mix.yaml'), 'utf8').replace(
        'id: mix',
        'id: own',
      ),
    })
    const [a, b] = ['a', 'b'].map((name) => `jsonl:${name}.jsonl?licence=MIT&tags=tags`) as [string, string]
    const router = 'r=router[table=tag=even:route-2,otherwise=route-1]'
    const byRole = argv`--agents simulated:cheap --agent route-1=simulated:cheap --agent route-2=simulated:dear --agent step-2=simulated:dear --quiet`
    await benchOk(['--tasks', a, '--methods', `${router},cascade`, ...byRole, ...argv`--out run`], { cwd })
    await benchOk(['--extend', 'run', '--tasks', b, '--quiet'], { cwd })
    await benchOk(argv`--extend run --methods baseline --quiet`, { cwd })
    await benchOk(
      ['--tasks', `${a},${b}`, '--methods', `${router},cascade,baseline`, ...byRole, ...argv`--out whole`],
      { cwd },
    )
    expect(recordLines(join(cwd, 'run'))).toEqual(recordLines(join(cwd, 'whole')))
    await refused(
      argv`--extend run --agents simulated:dear`,
      [/"r" has the same agents in two of these sets\. Run the other methods/],
      { cwd },
    )

    // No agent answers for all roles here.
    await benchOk(['--mode', 'live', '--tasks', a, ...argv`--methods by-tag --quiet --out live`], { cwd })
    await benchOk(['--extend', 'live', '--tasks', b, '--trust-code', '--quiet'], { cwd })
    const routed = recordsOf(join(cwd, 'live')).map(({ agents }) => agents)
    expect(routed).toEqual(Array(4).fill({ 'route-1': 'simulated:cheap', 'route-2': 'simulated:dear' }))
    await refused(
      argv`--extend live --methods baseline --trust-code`,
      [/--extend live\] role "solver" has no agent\. Start a new run/],
      { cwd },
    )
  })

  it('keeps the budget of a matched method in old epochs; new ones see the mean of all', async () => {
    const plan = argv`--tasks ${few} --match-budget S
      --methods baseline,S=sequential[maxOuter=1,maxInner=2],self-consistency`
    const folder = await run(...plan)
    const matches = () => stepsOf(folder).filter(({ kind }) => kind === 'match')
    const before = matches()
    expect(before).toHaveLength(2)
    await extend(folder, ...argv`--epochs 3`)
    expect(matches().slice(0, 2)).toEqual(before)
    expect(matches()).toHaveLength(6)
    const spent = matches().map((step) => step.kind === 'match' && step.spent)
    expect(new Set(spent).size).toBeGreaterThan(2)
    expect(await benchOk(['replay', folder])).toContain('no divergence')
  })
})

describe('--extend refuses', () => {
  it('without a change of the run folder: what was imported, changed, damaged, or cannot go on', async () => {
    const place = tempFolder()
    const unchanged = async (folder: string, said: RegExp, ...more: string[]) => {
      const before = filesOf(folder)
      await refused(['--extend', folder, ...argv`--epochs 2`, ...more], [said])
      expect(filesOf(folder)).toEqual(before)
    }
    const table = join(place, 'r.csv')
    writeFileSync(table, 'task,passed,method\na,1,good\na,0,poor\n')
    await benchOk(['import', 'per-instance', table, '--out', join(place, 'imported')])
    await unchanged(join(place, 'imported'), /holds imported results.*which cannot be extended/)

    const suite = join(place, 'count')
    for (const id of ['a', 'b']) writeNumberTask(suite, id, 7)
    const folder = await run('--tasks', `native:${suite}`, ...argv`--methods baseline`)
    await unchanged(folder, /--junit/, '--junit', join(folder, 'run.json'))
    await unchanged(folder, /nobody/, '--fail-if', 'nobody.success<0.5')
    await unchanged(folder, /--accept-changes\] conflicts with --extend/, '--accept-changes')
    writeNumberTask(suite, 'a', 8)
    await unchanged(folder, /task count\/a has changed since/)
    rmSync(suite, { recursive: true })
    await unchanged(folder, /count/)
    for (const id of ['a', 'b']) writeNumberTask(suite, id, 7)
    const steps = readFileSync(join(folder, 'steps.jsonl'), 'utf8')
    writeFileSync(join(folder, 'steps.jsonl'), steps.slice(0, steps.indexOf('\n') + 1))
    await unchanged(folder, /does not match its steps|has lost lines/)
    writeFileSync(join(folder, 'steps.jsonl'), steps)
    await extend(folder, ...argv`--epochs 2`)
    expect(recordsOf(folder)).toHaveLength(4)
  })

  it('fewer epochs, another plan, another method of a name, and what is not one plan', async () => {
    const folder = await run(...argv`--tasks ${few} --methods baseline --epochs 2`)
    const given = (...more: string[]) => ['--extend', folder, ...more]
    await refused(given('--epochs', '1'), [
      /--epochs 1\] is less than the 2 that the run has\. Write how many/,
    ])
    await refused(given('--seed', '2'), [/--seed\] conflicts with --extend/])
    await refused(given('--methods', 'baseline=self-consistency'), [
      /--methods baseline\] is the name of another method of this run\. Give it another name/,
    ])
    await refused(given('--epochs', '3', '--dry-run'), [/--dry-run\] conflicts with --extend/])
    const [shard = ''] = await runShards(argv`--tasks ${few} --methods baseline`, 2)
    await refused(
      ['--extend', shard, '--epochs', '2'],
      [/is a shard: .*Join them with bench runs join, then extend/],
    )
    const stopped = await run(...argv`--tasks ${few} --methods baseline,self-consistency --stop-when settled`)
    await refused(['--extend', stopped, '--epochs', '2'], [/has a stop rule, which was fixed for its plan/])
  })
})
