import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ageRun } from '../../helpers/machine/age-run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, withNewChecksum } from '../../helpers/runs/cli.ts'
import { expectWhole, filesOf, joinAll, runShards } from './shard-scenario.ts'

const tasks = 'ferry-morning,lamp-paths,word-rewriting,market-stalls'
const plan = argv`--tasks ${tasks} --methods baseline,self-consistency --epochs 2`

const place = mkdtempSync(join(tmpdir(), 'bench-test-shards-'))
const whole = join(place, 'whole')
const shards = [1, 2, 3].map((k) => join(place, 'parts', `s${k}`))
const [one, two, three] = shards as [string, string, string]

beforeEach(async () => {
  if (existsSync(whole)) return
  await benchOk([...plan, '--out', whole, '--quiet'], { cwd: place })
  await runShards(plan, 3, { cwd: place }, join(place, 'parts'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A copy of a shard that may be changed. */
function copyOf(shard: string): string {
  const folder = join(tempFolder(), 'copy')
  cpSync(shard, folder, { recursive: true })
  return folder
}

describe('shards of a run', () => {
  it('are together what the run is without --shard, in any order, joined at once or one after another', async () => {
    const { run, said } = await joinAll(shards)
    expect(said).toContain(`joined 3 of 3 shards: 16 of 16 trials have a record`)
    await expectWhole(run, whole)
    const { run: some } = await joinAll([three, one])
    const { run: again } = await joinAll([two, some, three])
    expect(filesOf(again)).toEqual(filesOf(run))
    expect(await benchOk(['replay', run])).toContain('no divergence')
  })

  it('have whole blocks, each in one of them: more shards than tasks leave some without', async () => {
    const many = await runShards([...argv`--tasks ${tasks} --methods baseline`], 6)
    const tasksOf = many.map((folder) => new Set(recordsOf(folder).map(({ task }) => task)).size)
    expect(tasksOf).toEqual([1, 1, 1, 1, 0, 0])
    const { run } = await joinAll(many)
    expect(recordsOf(run)).toHaveLength(4)
  })

  it('that are missing are named, and run by --resume of the joined run, which is not whole before', async () => {
    const { run, said } = await joinAll(shards.slice(1))
    expect(said).toMatch(/missing: shard 1\n.*runs the 8 trials without a record/)
    expect((await joinAll([two])).said).toContain('missing: shards 1, 3\n')
    expect(await benchOk(['runs', join(run, '..')])).toMatch(
      /8\/16 trials {2}joined, unfinished {2}.* {2}bench run --resume .*joined$/,
    )
    cpSync(run, join(run, '../aged'), { recursive: true })
    ageRun(join(run, '../aged'), 90)
    const prune = () => benchOk(['runs', 'prune', join(run, '..'), ...argv`--older-than 30d --dry-run`])
    expect(await prune()).toMatch(/^keep .*aged .* unfinished\n/)
    await benchOk(['--resume', run, '--quiet'])
    expect(recordLines(run)).toEqual(recordLines(whole))
    await refused(
      ['runs', 'join', run, one, '--out', join(tempFolder(), 'x')],
      [/has gone on since it was joined\. Join the shards themselves/],
    )
  })

  it('take their number from a Slurm array or an indexed Job, and say so', async () => {
    const folder = () => join(tempFolder(), 'run')
    const auto = [...argv`--tasks ${tasks} --methods baseline --quiet --shard auto/4`]
    const slurm = await bench([...auto, '--out', folder()], { env: { SLURM_ARRAY_TASK_ID: '4' } })
    expect(slurm.stderr).toContain('shard 4 of 4, a number from SLURM_ARRAY_TASK_ID: 1 of 4 trials')
    const job = await bench([...auto, '--out', folder()], { env: { JOB_COMPLETION_INDEX: '0' } })
    expect(job.stderr).toContain('shard 1 of 4, a number from JOB_COMPLETION_INDEX: 1 of 4 trials')
    for (const [env, said] of [
      [{ SLURM_ARRAY_TASK_ID: '0' }, /is not from 1 to 4: SLURM_ARRAY_TASK_ID gives 0\. Start .*--array=1-N/],
      [{ SLURM_ARRAY_TASK_ID: '2x' }, /SLURM_ARRAY_TASK_ID is "2x", which is no number\. Start/],
      [{ JOB_COMPLETION_INDEX: '4' }, /is not from 1 to 4: JOB_COMPLETION_INDEX gives 5\. Start .*Indexed/],
      [
        {},
        /has no number to take: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set\. Write --shard K\/4/,
      ],
    ] as const)
      await refused([...auto, '--out', folder()], [said], { env: { ...env } })
  })

  it('have their share of the limits, rounded down, and a joined run has the whole', async () => {
    const limited = [
      ...plan,
      ...argv`--max-cost 10 --max-calls 100 --max-time 500 --method-limit baseline.tokens=100001`,
    ]
    const [folder = ''] = await runShards(limited, 3)
    const begun = (run: string) => {
      const lines = readFileSync(join(run, 'sessions.jsonl'), 'utf8').trim().split('\n')
      return JSON.parse(lines.filter((line) => line.includes('"begin"')).at(-1) ?? '').budgets
    }
    expect(begun(folder)).toEqual({
      run: { costUsd: 3.333333, calls: 33, timeMs: 500_000 },
      methods: { baseline: { tokens: 33_333 } },
    })
    const resumed = await bench(argv`--resume ${folder} --max-calls 31 --quiet`)
    expect(resumed.stderr).toContain(
      '--max-calls 31 is for the whole run, of which this shard has 1/3: 10 calls',
    )
    expect(begun(folder).run.calls).toBe(10)
    const { run } = await joinAll([folder])
    await benchOk(['--resume', run, '--quiet'])
    expect(begun(run)).toEqual({
      run: { costUsd: 10, calls: 100, timeMs: 500_000 },
      methods: { baseline: { tokens: 100_001 } },
    })
  })
})

describe('a shard', () => {
  const out = () => ['--out', join(tempFolder(), 'run')]

  it.each([
    [['--shard', '2'], /--shard 2\] is not K\/N\. Write for example --shard 2\/8/],
    [['--shard', '0/3'], /is not from 1 to 3\. Write --shard K\/3, with K from 1 to 3/],
    [['--shard', '4/3'], /is not from 1 to 3/],
    [['--shard', '1/100000000'], /has more than 100000 shards\. Use fewer/],
    [
      ['--shard', '1/3', '--stop-when', 'settled'],
      /--stop-when\] conflicts with a shard.*a stop rule looks at the results of all tasks/,
    ],
    [
      ['--shard', '1/3', '--fail-if', 'baseline.success<0.1'],
      /--fail-if\] conflicts with a shard.*about the whole run/,
    ],
    [
      ['--shard', '1/3', '--max-calls', '2'],
      /leaves nothing for each shard of the limit of 2 calls\. Use fewer shards/,
    ],
  ])('is refused as %s', async (given, said) => {
    await refused([...plan, ...out(), ...given], [said])
  })

  it('keeps its part: it resumes as no other', async () => {
    await refused(['--resume', one, '--shard', '2/3'], [/--shard\] conflicts with --resume/])
  })

  it('shows no results at its end, is listed under its run, and offers the join', async () => {
    const list = await benchOk(['runs', join(one, '..')])
    expect(list).toMatch(
      /^run [0-9a-f]{24} {2}3 of 3 shards {2}bench runs join .*s1 .*s2 .*s3 --out RUN\n {2}.*s1 {2}shard 1 of 3/,
    )
    const ended = await bench([...plan, ...out(), '--shard', '1/3', '--quiet'])
    expect(ended.stdout).toBe('')
    expect(ended.stderr).toContain('shard 1 of 3 is whole, with 8 trials. When all are: bench runs join')
    const few = join(place, 'few')
    await runShards(argv`--tasks ${tasks} --methods baseline`, 2, { cwd: place }, few)
    await benchOk([...plan, ...argv`--shard 1/2 --quiet`, '--out', join(few, 'other')])
    for (const shard of shards) cpSync(shard, join(few, `of-3-${shard.slice(-2)}`), { recursive: true })
    cpSync(one, join(few, 'twice'), { recursive: true })
    const groups = (await benchOk(['runs', few])).match(/^run .*/gm)?.map((line) => line.slice(29))
    expect(groups?.map((line) => line.replaceAll(`${few}/`, '')).sort()).toEqual([
      ' 1 of 2 shards  bench runs join other --out RUN',
      ' 2 of 2 shards  bench runs join s1 s2 --out RUN',
      ' 3 of 3 shards  bench runs join of-3-s1 of-3-s2 of-3-s3 --out RUN',
    ])
    await refused(
      ['report', one, join(few, 'other')],
      [/are shards of one run\. They split it into different numbers of shards: join those of one N/],
    )
    await refused(
      ['report', one, two],
      [/are shards of one run\. Join them: bench runs join .*s1 .*s2 --out RUN/],
    )
    await refused(['compare', `${one}:baseline`, `${two}:baseline`], [/are shards of one run\. Join them/])
    expect(await benchOk(['show', one])).toMatch(/part +shard 1 of 3; bench runs join/)
    expect((await bench(['report', one])).stderr).toMatch(/is shard 1 of 3 of a run; bench runs join/)
  })
})

describe('bench runs join refuses', () => {
  const join3 = (...folders: string[]) => ['runs', 'join', ...folders, '--out', join(tempFolder(), 'run')]
  const other = async (...options: string[]) => {
    const folder = join(tempFolder(), 'other')
    await benchOk([...plan, ...options, '--out', folder, '--quiet'])
    return folder
  }

  it('another seed, other tasks and another number of shards', async () => {
    const seeded = await other('--seed', '2', '--shard', '2/3')
    await refused(join3(one, seeded), [
      /are not parts of one run: they differ in seed \(1 and 2\)\. Run the parts/,
    ])
    const [fewer = ''] = await runShards(
      argv`--tasks ferry-morning,lamp-paths --methods baseline,self-consistency --epochs 2`,
      1,
    )
    await refused(join3(one, fewer), [/they differ in task answers\//])
    const four = await other('--shard', '2/4')
    await refused(join3(one, four), [
      /are parts of 3 and of 4 shards\. Join shards that were run with the same N/,
    ])
    await refused(join3(one, whole), [/is a run of its own, not a shard/])
  })

  it('another task digest, harness or price of the same plan', async () => {
    for (const [change, said] of [
      [(json: Manifest) => ({ ...json, harness: { ...json.harness, code: 'f'.repeat(64) } }), 'harness'],
      [
        (json: Manifest) => ({
          ...json,
          prices: { file: { prices: { 'openai:m': { input: 1, output: 2 } } } },
        }),
        'prices',
      ],
      [
        (json: Manifest) => ({
          ...json,
          tasks: json.tasks.map((task) => ({ ...task, digest: 'f'.repeat(64) })),
        }),
        'task answers/',
      ],
    ] as const) {
      const copy = copyOf(two)
      const { sum: _, ...json } = JSON.parse(readFileSync(join(copy, 'run.json'), 'utf8')) as Manifest
      writeFileSync(join(copy, 'run.json'), JSON.stringify(change(json as Manifest)))
      await refused(join3(one, copy), [`they differ in ${said}`])
    }
  })

  it('a changed byte, a record that is not of the shard, and a file that lost lines', async () => {
    const changed = copyOf(two)
    const text = readFileSync(join(changed, 'steps.jsonl'), 'utf8')
    writeFileSync(join(changed, 'steps.jsonl'), text.replace('"durationMs":1', '"durationMs":2'))
    await refused(join3(one, changed), [/does not match its steps: a line of it in steps\.jsonl was changed/])

    const record = copyOf(two)
    const lines = readFileSync(join(record, 'records.jsonl'), 'utf8')
    writeFileSync(join(record, 'records.jsonl'), lines.replace('"iterations":1', '"iterations":2'))
    await refused(join3(one, record), [/was changed after it had been written: its checksum is wrong/])

    const strange = copyOf(two)
    const [first = ''] = lines.split('\n')
    const moved = first.replace(/"task":"[^"]*"/, `"task":"${recordsOf(one)[0]?.task}"`)
    writeFileSync(join(strange, 'records.jsonl'), lines.replace(first, withNewChecksum(moved)))
    await refused(join3(one, strange), [/names a trial that is not in this shard/])
  })

  it('a shard that was run twice, by the name of a trial, unless its lines are the same', async () => {
    const twice = await other('--shard', '2/3')
    await refused(join3(one, two, twice), [
      /both hold (?:shard 2|trial \w+), with different (?:lines of trial \w+|records)/,
    ])
    const { run } = await joinAll([two, one, copyOf(two)])
    expect(filesOf(run)).toEqual(filesOf((await joinAll([one, two])).run))
  })

  it('a folder that is not empty, a plan that was changed, and a shard that is in use', async () => {
    const full = tempFolder()
    writeFileSync(join(full, 'notes.txt'), 'Mine.')
    await refused(['runs', 'join', one, '--out', full], [/is not an empty folder\. Write --out/])
    const amended = copyOf(one)
    appendFileSync(join(amended, 'amendments.jsonl'), '')
    await refused(join3(amended), [/has a plan that was changed after it began\. Join the shards, then/])
    expect(filesOf(full)).toEqual({ 'notes.txt': 'Mine.' })
  })

  it('a shard without a file that its sessions wrote, and a folder inside of a run', async () => {
    for (const file of ['events.jsonl', 'sessions.jsonl', 'records.jsonl']) {
      const copy = copyOf(two)
      rmSync(join(copy, file))
      await refused(join3(one, copy), [file, /is missing|has lost/])
    }
    const inner = join(copyOf(one), 'sub')
    await refused(
      ['runs', 'join', one, '--out', inner],
      [/is inside the run .*copy\. Choose a folder outside/],
    )
    await refused(['runs', 'join', one], [/--out\] is missing\. Write --out RUN/])
  })

  it('a shard that was run twice with the same lines in another order', async () => {
    const copy = copyOf(two)
    const lines = readFileSync(join(copy, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
    const trialOf = (line = '{}') => (JSON.parse(line) as { trial?: string }).trial
    const at = lines.findIndex((line, i) => i > 0 && trialOf(line) !== trialOf(lines[i - 1]))
    lines.splice(at - 1, 2, lines[at] ?? '', lines[at - 1] ?? '')
    writeFileSync(join(copy, 'steps.jsonl'), `${lines.join('\n')}\n`)
    await refused(join3(two, copy), [
      /both hold shard 2, with different lines of steps\.jsonl, or the same in/,
    ])
  })

  it('a blob that is missing or was changed', async () => {
    const copy = copyOf(two)
    mkdirSync(join(copy, 'blobs'))
    writeFileSync(join(copy, 'blobs', 'a'.repeat(64)), 'no such text')
    await refused(join3(one, copy), [/blobs\/a{64}\] was changed after it had been written/])
    rmSync(join(copy, 'blobs'), { recursive: true })
    writeFileSync(
      join(copy, 'people.jsonl'),
      `${JSON.stringify({ type: 'waits', show: [{ path: 'a.md', text: '', blob: 'b'.repeat(64) }] })}\n`,
    )
    await refused(join3(one, copy), [/blobs\/b{64}\] is missing\. Restore the file/])
  })
})

interface Manifest {
  sum: string
  harness: object
  tasks: { digest: string }[]
}
