// Makes the verdicts of wrong solutions of built-in tasks that come with bench, for the Node and the Python that run it:
// `npm run verdicts`, and for another Node `npx -y node@24 scripts/verdicts.mjs` after a build. With --prove 1/10 (a part of the tasks) or
// --prove all it writes nothing: it computes them anew, and fails where the files say something else.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pMap from 'p-map'
import { buildPool } from '../dist/src/agents/mutants/mutant-pool.js'
import { referenceOf } from '../dist/src/agents/reference.js'
import { shippedFile } from '../dist/src/graders/verdicts/shipped-verdicts.js'
import {
  basisDifference,
  readVerdicts,
  verdictName,
  verdictsBasis,
  writeVerdicts,
} from '../dist/src/graders/verdicts/verdict-file.js'
import { createVerdicts, keepsVerdicts } from '../dist/src/graders/verdicts/verdicts.js'
import { builtInTasks } from '../dist/src/loop/plan/built-in-tasks.js'
import { trySubmission } from '../dist/src/loop/proof/try-submission.js'
import { lazySandbox } from '../dist/src/sandbox/open-sandbox.js'
import { root, say } from './publish-tools.mjs'
import { scriptOptions } from './script-options.mjs'

const folder = join(root, 'fixtures/verdicts')
const { prove } = scriptOptions('npm run verdicts [-- --prove 1/10|all]', { prove: { type: 'string' } })
const [, part = 1, of = 1] = /^(\d+)\/(\d+)$/.exec(prove ?? '')?.map(Number) ?? []
if (prove !== undefined && prove !== 'all' && !(part >= 1 && part <= of && prove.includes('/')))
  throw new Error(`--prove ${prove} is no part of the tasks; write for example 1/10, or all`)

const sandbox = lazySandbox('auto')
const tasks = builtInTasks().tasks.filter((task) => keepsVerdicts('grade', task) && referenceOf(task))
const chosen = tasks.filter((_, place) => place % of === part - 1)
for (const language of ['without', 'with Python']) {
  const ofLanguage = chosen.filter(
    ({ spec }) => spec.requires.includes('python3') === (language === 'with Python'),
  )
  if (ofLanguage.length > 0) await makeOrProve(await verdictsBasis(language), ofLanguage)
}

async function makeOrProve(basis, ofLanguage) {
  const path = join(folder, shippedFile(basis))
  const made = (await pMap(ofLanguage, verdictsOf, { concurrency: 2 })).flat()
  const counts = `${made.length} verdicts of ${ofLanguage.length} tasks`
  if (prove === undefined) {
    mkdirSync(folder, { recursive: true })
    writeVerdicts(path, basis, made)
    return say(`${path}: ${counts}`)
  }
  const problems = await differences(path, basis, made)
  for (const problem of problems) say(problem)
  say(problems.length === 0 ? `${path}: ${counts} are proved` : `npm run verdicts makes ${path} again`)
  if (problems.length > 0) process.exitCode = 1
}

/** What a simulated agent would try of a task, and the reference, by which it is timed on a slow machine. */
async function verdictsOf(task) {
  let found = []
  const write = (verdicts) => {
    found = verdicts
  }
  const verdicts = createVerdicts({ file: task.ref, read: undefined, proved: undefined, write })
  const trying = trySubmission(sandbox.run, new AbortController().signal, undefined, async () => verdicts)
  await buildPool(task, trying, { cache: undefined })
  await trying(task, { files: { ...task.files, ...referenceOf(task).files } }, { always: true })
  verdicts.save()
  say(`${task.ref}: ${found.length} verdicts`)
  return found
}

/** How verdicts that were made now differ from those of a file. The level at which they were made may be another one. */
async function differences(path, basis, made) {
  if (!existsSync(path)) return [`${path} does not exist`]
  const kept = await readVerdicts(path)
  const difference = basisDifference(kept.basis, basis)
  if (difference !== undefined) return [`${path} ${difference}`]
  const said = (verdict) => JSON.stringify(verdict?.result ?? verdict?.kind ?? 'nothing')
  const others = made.flatMap((now) => {
    const before = kept.verdicts.get(verdictName(now))
    return said(before) === said(now) ? [] : [`${verdictName(now)}: ${said(before)}, and now ${said(now)}`]
  })
  const names = new Set(made.map(verdictName))
  const gone = prove === 'all' ? [...kept.verdicts.keys()].filter((name) => !names.has(name)) : []
  return [...others, ...gone.map((name) => `${name}: no task tries this any more`)]
}
