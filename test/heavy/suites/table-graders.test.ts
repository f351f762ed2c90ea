import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const grade = `export function grade({ answer, task }) {
  const same = answer.trim() === task.solution.answer
  return { score: same ? 0.6 : 0, reason: same ? 'the very text' : 'another text' }
}
`
const table = `id,question,answer,grader,pass
sum,How many?,−4,,
free,Which words?,red hat,grade.mjs,0.5
gone,,x,,
again,Who?,2 kg,,
again,Who else?,3,,
`
const names = { cwd: '', env: {} as Record<string, string>, trustsFiles: false }
const folder = () => {
  names.cwd = folderOf({ 't.csv': table, 'grade.mjs': grade })
  names.env = { ORCHESTRATION_BENCH_CACHE: tempFolder() }
  return { ...names }
}
const run = argv`run --tasks csv:t.csv --skip-invalid --methods baseline --quiet --out a`

it('a table may name a function only with the word of the user, for a run and for a proof', {
  timeout: 600_000,
}, async () => {
  const own = folder()
  const words = ['t.csv:3 grader', 'starts this program', 'grade.mjs', '--trust-code']
  await refused(run, words, own)
  expect(existsSync(join(own.cwd, 'a'))).toBe(false)
  await refused(argv`tasks check csv:t.csv --skip-invalid --quick`, words, own)
  expect(await benchOk(argv`tasks check csv:t.csv --skip-invalid --quick --trust-code`, own)).toMatch(
    /t\/free +passes +fails/,
  )
  await benchOk([...run, '--trust-code'], own)
  // What is typed is the user's own.
  const typed = argv`run --tasks csv:t.csv?grader=grade.mjs&pass=0.5 --skip-invalid --methods baseline --quiet --out b`
  await benchOk(typed, own)
  // The code may change between two calls.
  writeFileSync(join(own.cwd, 'grade.mjs'), `${grade}// more\n`)
  await refused([...run.slice(0, -1), 'c'], words, own)
})

it('run.json says by line how rows without a grader are graded, what was left out, and which code grades', {
  timeout: 600_000,
}, async () => {
  const own = folder()
  const { stderr } = await bench([...run, '--trust-code'], own)
  expect(stderr).toContain('numeric, since the answer is one number, such as "−4": line 2')
  expect(stderr).toContain('left out: t.csv:6 id gives the name again again: "again", as "again" in line 5')
  const manifest = JSON.parse(readFileSync(join(own.cwd, 'a/run.json'), 'utf8'))
  const source = `csv:${join(own.cwd, 't.csv')}`
  expect(manifest).toMatchObject({
    graderFiles: [join(own.cwd, 'grade.mjs')],
    guessedGraders: [
      { source, grader: 'numeric', reason: 'the answer is one number', count: 1, lines: '2' },
      { source, grader: 'numeric', reason: 'the answer is one number with a unit', count: 1, lines: '5' },
    ],
    skipInvalid: [{ source, count: 2, items: [{ where: 't.csv:4 question', what: 'is empty' }, {}] }],
  })
  expect(await benchOk(argv`report a --format markdown`, own)).toContain(
    't.csv:4 question is empty; t.csv:6 id',
  )
  // The user's own run goes on without a question; a copy of it is somebody else's.
  await benchOk(argv`replay a --regrade`, own)
  cpSync(join(own.cwd, 'a'), join(own.cwd, 'copy'), { recursive: true })
  await refused(argv`replay copy --regrade`, ['grade.mjs', '--trust-code'], own)
})

it('a config file that names a function asks for it, and names none outside of the folder', async () => {
  const own = folder()
  const config = (grader: string) =>
    writeFileSync(join(own.cwd, 'bench.config.yaml'), `run: { tasks: "csv:t.csv?grader=${grader}" }\n`)
  config('grade.mjs')
  await refused(argv`run --methods baseline --skip-invalid --out d`, ['grade.mjs', '--trust-code'], own)
  expect(await benchOk(argv`check bench.config.yaml`, own)).toContain('starts this program: grade.mjs')
  config('../grade.mjs')
  await refused(argv`check bench.config.yaml`, ['../grade.mjs is no path inside of the working folder'], own)
})
