import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { liveArgs, runAsker, startAsker, writeAsker } from '../../helpers/fanout/asking-strategy.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  program,
  recordsOf,
  refused,
  stepsOf,
  until,
  wholeLines,
} from '../../helpers/runs/cli.ts'

const peopleOf = (folder: string) =>
  wholeLines(join(folder, 'people.jsonl')).map((line) => JSON.parse(line) as Record<string, string>)
const lastSession = (folder: string) => JSON.parse(wholeLines(join(folder, 'sessions.jsonl')).at(-1) ?? '{}')
const shortId = (folder: string) => peopleOf(folder)[0]?.trial?.slice(0, 12) ?? ''

describe.each([
  ['dev mode', []],
  ['live mode', liveArgs],
])('with --approve park, in %s', (_, mode) => {
  it('a trial waits, the others go on, and the run ends with exit code 4 and the commands to answer', async () => {
    const asker = writeAsker(',baseline', [...mode, '--approve', 'park'])
    const { folder } = asker
    const parked = await runAsker(asker, asker.args)
    expect(parked).toMatchObject({ code: 4, stdout: '' })
    expect(recordsOf(folder).map(({ method }) => method)).toEqual(['baseline'])
    expect(lastSession(folder)).toMatchObject({ reason: 'parked' })
    const id = shortId(folder)
    expect(parked.stderr).toContain(
      `1 trial waits for a person. To see what they ask: bench approve ${folder}`,
    )
    expect(parked.stderr).toContain(`bench approve ${folder} ${id} yes`)
    expect(parked.stderr).toContain(`stopped after 1 of 2 trials. Resume with: bench run --resume ${folder}`)

    const shown = await benchOk(['approve', folder])
    expect(shown).toContain('\\x1b[31mred\\x1b[0m draft')
    expect(shown).toContain('Is round 1 good?')
    const [, whole = ''] = /141 more lines; the whole text: (\S+)/.exec(shown) ?? []
    expect(readFileSync(whole, 'utf8')).toBe('a line\n'.repeat(200))

    expect(await bench(['approve', folder, id, 'long '.repeat(20_000)])).toMatchObject({ code: 0 })
    const cut = await bench(['approve', folder, id, 'Shorter.'])
    expect(cut.stderr).toMatch(/^answered with feedback "Shorter\.", in place of "long .{0,700}$/s)
    const replaced = await bench(['approve', folder, id.slice(0, 6), ' YES '])
    expect(replaced.stderr).toContain('answered yes, in place of "Shorter.".')
    await refused(['approve', folder, id, 'ok'], ['"ok" alone is unclear', /Write yes, abort, or say what/])
    expect(await bench(['show', folder])).toMatchObject({ stderr: expect.stringContaining('bench approve') })
    // The policy of the run stays, and the method asks nothing else.
    expect(await runAsker(asker, ['--resume', folder, '--quiet'])).toMatchObject({ code: 0 })
    const record = recordsOf(folder).find(({ method }) => method === 'asker')
    expect(record).toMatchObject({
      people: { approvals: 1, guidance: 0, sets: 0 },
      state: { said: ['approved:'] },
    })
    expect(record).not.toHaveProperty('interventions')
    const ids = peopleOf(folder).flatMap(({ type, id }) => (type === 'answer' ? [id] : []))
    const approvals = stepsOf(folder).filter(({ kind }) => kind === 'approval')
    expect(approvals).toMatchObject([{ by: 'person', answer: ids[2], shown: ['draft.md', 'long.md'] }])
    expect(asker.rounds()).toEqual(['round 1', 'round 1'])

    rmSync(join(folder, 'people.jsonl'))
    expect(await benchOk(['replay', folder], { cwd: asker.cwd })).toContain('no divergence')
    expect(await benchOk(['show', folder, id])).toMatch(
      /decision: approved, by a person[\s\S]*People +1 approval/,
    )
    const report = await benchOk(['report', folder, '--format', 'markdown'])
    expect(report).toContain('asker: people took part in 1 of 1 trial (1 approval)')
  })
})

it('a trial whose next question has no answer waits again', async () => {
  const asker = writeAsker('[rounds=2]', ['--approve', 'park'])
  const { folder } = asker
  expect(await runAsker(asker, asker.args)).toMatchObject({ code: 4 })
  expect(await bench(['approve', folder, shortId(folder), 'Try harder.'])).toMatchObject({ code: 0 })
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 4 })
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 4 })
  // The question is written once, though the trial came to it twice.
  expect(peopleOf(folder).map(({ type, question }) => question ?? type)).toEqual([
    'Is round 1 good?',
    'answer',
    'Is round 2 good?',
  ])
  const aborted = await bench(['approve', folder, shortId(folder), 'abort'])
  expect(aborted).toMatchObject({ code: 0, stderr: expect.stringMatching(/^answered abort\. /) })
  expect(await runAsker(asker, ['--resume', folder])).toMatchObject({ code: 0 })
  expect(recordsOf(folder)[0]?.state).toMatchObject({ said: ['feedback:Try harder.', 'abort:'] })
})

it('bench approve refuses wrong answers, and trials that do not wait', async () => {
  // Of 17 ids two begin with the same of 16 digits.
  const asker = writeAsker('', ['--approve', 'park', '--epochs', '17'])
  const { folder } = asker
  await runAsker(asker, asker.args)
  const ids = peopleOf(folder).map(({ trial }) => trial)
  const [first = '', second = ''] = ids
  const shared = ids.map((id = '') => id.slice(0, 1)).find((digit, at, digits) => digits.indexOf(digit) < at)
  await refused(argv`approve ${folder} ${shared ?? ''} yes`, [
    /\d+ waiting trials have an id that starts with this/,
  ])
  await refused(['approve', folder, '', 'yes'], ['the id of the trial is empty'])
  await refused(['approve', folder, 'zzz', 'yes'], ['no trial that waits', `bench approve ${folder} lists`])
  await refused(['approve', folder, first, '  '], ['the answer is empty'])
  expect(await bench(['approve', folder, first, 'yes'])).toMatchObject({ code: 0 })
  await runAsker(asker, ['--resume', folder])
  await refused(['approve', folder, first, 'yes'], ['the trial has ended'])
  expect(await benchOk(['approve', folder])).toContain(`Trial ${second.slice(0, 12)}`)
  await runAsker(asker, ['--resume', folder, '--approve', 'yes'])
  expect(await benchOk(['approve', folder])).toBe('no trial waits for a person')
})

it('a question that was answered and taken takes no second answer while its trial goes on', async () => {
  const asker = writeAsker('[rounds=2]', ['--approve', 'park'])
  const { folder } = asker
  await runAsker(asker, asker.args)
  const id = shortId(folder)
  await bench(['approve', folder, id, 'yes'])
  asker.openRound(1)
  const running = startAsker(asker, ['--resume', folder], asker.gate)
  await until(() => running.isOver() || asker.rounds().includes('round 2'))
  await refused(argv`approve ${folder} ${id} abort`, [
    'the question was answered already, and the trial went on',
  ])
  asker.openRound(2)
  expect(await running.ended).toMatchObject({ code: 4 })
  expect(await benchOk(['approve', folder, id])).toContain('Is round 2 good?')
})

it('after kill -9 between an answer and its step, the answer is taken once', async () => {
  const asker = writeAsker('', ['--approve', 'park'])
  const { folder } = asker
  await runAsker(asker, asker.args)
  await bench(['approve', folder, shortId(folder), 'Better.'])
  const killed = await runAsker(asker, ['--resume', folder], { ASKER_DIES: 'approval' })
  expect(killed.signal).toBe('SIGKILL')
  expect(await runAsker(asker, ['--resume', folder], { ASKER_DIES: 'approval' })).toMatchObject({ code: 0 })
  expect(stepsOf(folder).filter(({ kind }) => kind === 'approval')).toHaveLength(1)
  expect(recordsOf(folder)[0]).toMatchObject({
    people: { approvals: 1 },
    state: { said: ['feedback:Better.'] },
  })
})

it('a secret in an answer is redacted before it is stored', async () => {
  const asker = writeAsker('', ['--approve', 'park'])
  const { folder } = asker
  await runAsker(asker, asker.args)
  const env = { MY_API_KEY: 'sk-live-0123456789abcdef' }
  await bench(['approve', folder, shortId(folder), `Use ${env.MY_API_KEY}.`], { env })
  expect(readFileSync(join(folder, 'people.jsonl'), 'utf8')).toContain('Use [redacted MY_API_KEY].')
})

it.each([
  ['is no JSON', () => 'yes\n', /people\.jsonl:1.*is not a line of JSON/],
  ['was changed', (text: string) => text.replace('good?', 'bad?'), /people\.jsonl:1.*checksum is wrong/],
  ['is cut off', (text: string) => text.slice(0, -20), /people\.jsonl:1.*is cut off/],
])(
  'a line of people.jsonl that %s is refused by file and line, by every command',
  async (_, damage, message) => {
    const asker = writeAsker('', ['--approve', 'park'])
    const { folder } = asker
    await runAsker(asker, asker.args)
    const id = shortId(folder)
    const path = join(folder, 'people.jsonl')
    writeFileSync(path, damage(readFileSync(path, 'utf8')))
    await refused(['approve', folder], [message, /Remove the line/])
    await refused(['guide', folder, id, 'work', 'Be brief.'], [message])
    await refused(['--resume', folder], [message])
  },
)

it('what a person reads holds nothing of a reference solution', async () => {
  const asker = writeAsker('[rounds=2]', ['--approve', 'park', '--agents', 'oracle'])
  const { folder } = asker
  expect(await runAsker(asker, asker.args)).toMatchObject({ code: 4 })
  const [line] = peopleOf(folder)
  expect(line).toMatchObject({ question: '(withheld: it may hold the reference solution)' })
  expect(JSON.stringify(line)).not.toMatch(/Round|red/)
  expect(await bench(['approve', folder, shortId(folder), 'yes'])).toMatchObject({ code: 0 })
  expect(await bench(['guide', folder, shortId(folder), 'work', 'Be brief.'])).toMatchObject({ code: 0 })
  expect(await runAsker(asker, ['--resume', folder, '--approve', 'yes'])).toMatchObject({ code: 0 })
  expect(recordsOf(folder)[0]).toMatchObject({ people: { approvals: 1, guidance: 1 } })
  expect(await benchOk(['replay', folder], { cwd: asker.cwd })).toContain('no divergence')
})

it('an answer that does not fit on the disk leaves nothing behind, and can be given again', async () => {
  const asker = writeAsker('', ['--approve', 'park'])
  const { cwd, folder } = asker
  await runAsker(asker, asker.args)
  const file = join(folder, 'people.jsonl')
  const before = readFileSync(file, 'utf8')
  // Blocks of 512 bytes: a line of more than 2 kB does not fit.
  const limit = `ulimit -f ${Math.ceil(before.length / 512) + 4}; exec "$@"`
  const trial = peopleOf(folder)[0]?.trial ?? ''
  const words = [process.execPath, program, 'approve', folder, trial, 'long '.repeat(2000)]
  const full = await execa('sh', ['-c', limit, 'sh', ...words], { cwd, reject: false })
  expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the disk is full') })
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(await bench(['approve', folder, trial, 'yes'])).toMatchObject({ code: 0 })
})
