import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WorkflowRecord } from '../../../src/schema/method/workflow-record.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root } from '../../helpers/runs/cli.ts'

const guide = readFileSync(join(root, 'docs/guides/workflows.md'), 'utf8')
const file = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

it('the guide’s workflow runs, resumes after a stop without its file, and replays', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const method = 'collaboration[workflow=./pair.yaml]'
  const plan = ['--tasks', 'lamp-paths,money-split', '--methods', method]
  await benchOk([...plan, '--out', 'whole'], { cwd })
  expect((await bench([...plan, '--out', 'parts', '--max-calls', '3'], { cwd })).code).toBe(3)
  writeFileSync(join(cwd, 'pair.yaml'), file.replace('right and whole', 'any good'))
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })
  expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
  await benchOk(['replay', 'whole'], { cwd })

  await benchOk([...plan, '--out', 'changed'], { cwd })
  const ids = (run: string) => recordsOf(join(cwd, run)).map(({ trial }) => trial)
  expect(ids('changed').filter((id) => ids('whole').includes(id))).toEqual([])
})

it('a workflow after a colon is the same method everywhere: typed, in a config file, and where labels are named', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const config = [
    'run: { tasks: lamp-paths, methods: ["collaboration:./pair.yaml", entry, "twin:./pair.yaml[iterations=1]"] }',
    'methods:',
    '  entry: { strategy: "collaboration:./pair.yaml" }',
    '  twin: { strategy: collaboration }',
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), config.join('\n'))
  const long = ['collaboration[workflow=./pair.yaml]', 'entry', 'twin[workflow=./pair.yaml,iterations=1]']
  const labelled = [
    'A=collaboration:./pair.yaml[iterations=2]',
    'A=collaboration[workflow=./pair.yaml,iterations=2]',
  ]
  const gates = ['--baseline', 'collaboration:./pair.yaml', '--fail-if', 'collaboration:./pair.yaml.calls<0']
  await benchOk(['--out', 'file', ...gates], { cwd })
  await benchOk(['--out', 'typed', '--methods', long.join(',')], { cwd })
  await benchOk(['--out', 'a', '--methods', labelled[0] as string], { cwd })
  await benchOk(['--out', 'b', '--methods', labelled[1] as string], { cwd })
  const ids = (run: string) => recordsOf(join(cwd, run)).map(({ trial, method }) => [trial, method])
  expect(ids('file')).toEqual(ids('typed'))
  expect(
    ids('file')
      .map(([, method]) => method)
      .sort(),
  ).toEqual(long.sort())
  expect(ids('a')).toEqual(ids('b'))
  await benchOk(['report', 'typed', '--baseline', 'twin:./pair.yaml[iterations=1]'], { cwd })
  await benchOk(['compare', 'typed:collaboration:./pair.yaml', 'typed:entry'], { cwd })
})

it('a document that is missing, empty or named twice is refused with its place', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const config = [
    'methods:',
    '  both: { strategy: "collaboration:./pair.yaml", options: { workflow: ./pair.yaml } }',
    '  none: { strategy: "collaboration:" }',
    '  plain: { strategy: "baseline:./pair.yaml" }',
    '  open: { strategy: "collaboration[workflow=./pair.yaml" }',
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), config.join('\n'))
  const { stderr } = await refused(
    ['--tasks', 'lamp-paths', '--methods', 'collaboration:./gone.yaml,baseline:x,both,none,plain,open'],
    [
      /bench\.config\.yaml:2 methods\.both\.strategy\] names its document twice/,
      /bench\.config\.yaml:3 methods\.none\.strategy\] has no document after the colon/,
      /bench\.config\.yaml:4 methods\.plain\.strategy\] "baseline" reads no document/,
      /bench\.config\.yaml:5 methods\.open\.strategy\] is not a method/,
      /\.\/gone\.yaml\] there is no such file/,
      /--methods baseline:x\] "baseline" reads no document.* Methods that read a document: collaboration/,
    ],
    { cwd },
  )
  expect(stderr.trim().split('\n')).toHaveLength(6)
})

it('all problems of a workflow are reported with their lines before anything runs', async () => {
  const cwd = tempFolder()
  const bad = file
    .replace('agent: sceptic', 'agent: skeptic')
    .replace('can_iterate: making', 'can_iterate: makng')
  writeFileSync(join(cwd, 'pair.yaml'), bad)
  await refused(
    ['--tasks', 'lamp-paths', '--methods', 'collaboration[workflow=./pair.yaml]'],
    [
      /\[\.\/pair\.yaml:\d+ stages\.1\.agent\] there is no agent "skeptic"\. Did you mean sceptic\?/,
      /\[\.\/pair\.yaml:\d+ stages\.3\.can_iterate\] there is no stage "makng"/,
    ],
    { cwd },
  )
})

describe('own prompts', () => {
  const guide = readFileSync(join(root, 'docs/guides/own-prompts.md'), 'utf8')
  const template = (name: string) =>
    new RegExp(`\`${name}\`:\\n\\n\`\`\`\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? ''
  const methods = /--methods '([^']*)'/.exec(guide)?.[1] ?? ''

  /** A folder with the two prompts of the guide. */
  function prompts(): string {
    const cwd = tempFolder()
    for (const name of ['plain.md', 'careful.md']) writeFileSync(join(cwd, name), template(name))
    return cwd
  }

  it('the guide’s two prompts are two methods beside baseline; the run resumes without the files, and replays', async () => {
    const cwd = prompts()
    const plan = ['--tasks', 'lamp-paths', '--methods', methods]
    await benchOk([...plan, '--out', 'whole'], { cwd })
    expect((await bench([...plan, '--out', 'parts', '--max-calls', '2'], { cwd })).code).toBe(3)
    writeFileSync(join(cwd, 'careful.md'), 'Never mind. {{instruction}}')
    await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })
    expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
    await benchOk(['replay', 'whole'], { cwd })

    const shown = await benchOk(['show', 'whole'], { cwd })
    expect(shown).toMatch(/careful = baseline \{.*"prompt":"careful.md","template":"sha256 [0-9a-f]{12}"\}/)
    await benchOk([...plan, '--out', 'changed'], { cwd })
    const ids = (run: string, wanted: string) =>
      recordsOf(join(cwd, run)).flatMap(({ trial, method }) => (method === wanted ? [trial] : []))
    expect(ids('changed', 'plain').sort()).toEqual(ids('whole', 'plain').sort())
    expect(ids('changed', 'careful').filter((id) => ids('whole', 'careful').includes(id))).toEqual([])
  })

  it('a prompt with mistakes is refused before the run, with its place', async () => {
    const cwd = prompts()
    writeFileSync(join(cwd, 'wrong.md'), 'Do it.\n{{file}}')
    await refused(
      ['--tasks', 'lamp-paths', '--methods', 'baseline[prompt=wrong.md]'],
      [/\[wrong\.md:2\] there is no placeholder \{\{file\}\}/, /\[wrong\.md\] has no \{\{instruction\}\}/],
      { cwd },
    )
  })
})

const measured = (run: string) =>
  recordsOf(run).flatMap((record) =>
    record.state?.collaboration ? [{ record, flow: WorkflowRecord.parse(record.state.collaboration) }] : [],
  )

it('a workflow runs on every built-in task as declared, with unreadable outputs and useful revisions', async () => {
  const cwd = tempFolder()
  await benchOk(['--tasks', 'all', '--methods', 'collaboration', '--grade-candidates', '--out', 'run'], {
    cwd,
  })
  const records = recordsOf(join(cwd, 'run'))
  const flows = records.map(({ state }) => WorkflowRecord.parse(state?.collaboration))
  expect(records.length).toBeGreaterThan(20)
  for (const { fidelity, outcome } of records)
    expect([fidelity, outcome.status]).toEqual([{ status: 'kept' }, 'completed'])
  expect(flows.filter(({ conversions }) => conversions.failed > 0).length).toBeGreaterThan(1)
  expect(
    records.some(
      ({ passed, candidates }, i) =>
        (flows[i]?.iterations ?? 0) > 0 && passed && candidates?.[0]?.passed === false,
    ),
  ).toBe(true)
})

it('a workflow takes its loops: an unreadable output, and a revision that turns wrong into right', async () => {
  const cwd = tempFolder()
  const tasks = 'line-patch,ferry-morning,duration-text'
  const options = ['--grade-candidates', '--out', 'run']
  await benchOk(['--tasks', tasks, '--methods', 'collaboration', ...options], { cwd })
  const all = measured(join(cwd, 'run'))
  expect(new Set(all.map(({ flow }) => flow.workflow)).size).toBe(3)
  expect(all.every(({ flow }) => flow.conversions.done > 0)).toBe(true)
  expect(all.some(({ flow }) => flow.conversions.failed > 0)).toBe(true)
  const turned = all.filter(
    ({ record, flow }) => flow.iterations > 0 && record.passed && record.candidates?.[0]?.passed === false,
  )
  expect(turned.length).toBeGreaterThan(0)
})

const strategy = join(root, 'fixtures/strategies/graph-of-steps.ts')
const events = (folder: string) => join(folder, 'events.jsonl')

it('bench show draws the timeline of a graph, and bench replay finds a trace that breaks the rules', async () => {
  const folder = join(tempFolder(), 'run')
  await benchOk(['--tasks', 'answers', '--methods', strategy, '--out', folder, '--quiet'])
  const [record] = recordsOf(folder)
  const story = await benchOk(['show', folder, `${record?.trial}`])
  expect(story).toMatch(/graph of 7 steps, at most 8 at the same time/)
  expect(story).toMatch(/Timeline of graph {2}8 steps, .*\n {2}a-draft +█+/)
  expect(recordsOf(folder).every(({ fidelity }) => fidelity.status === 'kept')).toBe(true)
  expect(await benchOk(['methods', strategy])).toContain('a-review: reviewer after a-draft')
  expect((await bench(['replay', folder])).code).toBe(0)

  const lines = readFileSync(events(folder), 'utf8')
  writeFileSync(
    events(folder),
    lines.replace(/("type":"StepStart"[^\n]*"step":"last","at":)\d+(\.\d+)?/, '$11'),
  )
  const replayed = await bench(['replay', folder])
  expect(replayed.code).not.toBe(0)
  expect(replayed.stdout + replayed.stderr).toMatch(
    /graph graph, events\.jsonl\] step "last" began at 1 ms; "a-review"/,
  )
  writeFileSync(
    events(folder),
    lines.replace(/("type":"StepEnd"[^\n]*)"simulated":true/, '$1"simulated":false'),
  )
  const again = await bench(['replay', folder])
  expect(again.code).toBe(1)
  expect(again.stdout + again.stderr).toMatch(
    /events\.jsonl\] step ".+", StepEnd: simulated was false, now true/,
  )
})
