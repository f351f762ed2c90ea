import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject } from 'vitest'
import { splitCommand } from '../../../src/text/command-words.ts'
import { writeFiles } from '../machine/temp.ts'
import { bench, program, root } from '../runs/cli.ts'

/** What was typed by mistake, what is right, and files that the remedy writes or changes. */
export type WrongInput = [
  name: string,
  wrong: string,
  right: string,
  change?: Readonly<Record<string, string>>,
]

const api = JSON.stringify(join(root, 'dist/bench/api.js'))
const strategy = (fields: string) =>
  `import { defineStrategy, z } from ${api}\nexport default defineStrategy({ name: 'mine', summary: 's', options: z.strictObject({}), ${fields} })\n`
const asks = "async run({ ask }) { return { answer: await ask('solver', 'Do it.'), stopReason: 'done' } }"

/** What lies in the folder of somebody who makes mistakes. */
const files = {
  'q.csv': 'question,answer\n"What is 40 + 2?",42\nWhich river flows through Vienna?,Danube\n',
  'questions.csv': 'question,answer\n1?,1\n',
  'empty.csv': '',
  'head.csv': 'question,answer\n',
  'twice.csv': 'question,question,answer\na,b,c\n',
  'cell.csv': 'question,answer,grader\nWhat is 1 + 1?,2,exakt\n',
  'pattern.csv': 'question,answer,example\nWhich month?,^mar(ch)?$,April\n',
  'options.csv': 'question,answer,options\nWhich?,green,red|blue\n',
  'list.jsonl': '[{"question":"a","answer":"b"}]\n',
  'comma.jsonl': '{"question":"a","answer":"b",}\n',
  'data/one.csv': 'question,answer\n1?,1\n',
  'notes/readme.md': 'Nothing to see.\n',
  'hello.md': 'Write hello.\n',
  'broken.yaml': 'run:\n  tasks: csv:q.csv\n   methods: baseline\n',
  'unknown.yaml': 'run:\n  tasks: csv:q.csv\n  methodz: baseline\n',
  'prices.yaml': 'prices:\n  simulated: cheap\n',
  'prompt.md': '{{instruction}}\n',
  'typo.md': '{{instructions}}\n',
  'right.mjs': strategy(`roles: { solver: 'produce' }, ${asks}`),
  'roles.mjs': strategy(asks),
  'norun.mjs': strategy("roles: { solver: 'produce' }"),
  'none.mjs': 'export const one = 1\n',
  'syntax.mjs': "export default defineStrategy({ name: 'mine',\n",
}

/** Fills a folder with the files, and with a finished run, `run`. */
export async function fillFolder(cwd: string): Promise<void> {
  writeFiles(cwd, files)
  const run = [
    '--tasks',
    'csv:q.csv',
    '--methods',
    'baseline,retry',
    '--agents',
    'oracle',
    '--quiet',
    '--out',
    'run',
  ]
  await execa(process.execPath, [program, ...run], {
    cwd,
    env: { ORCHESTRATION_BENCH_CACHE: inject('cache') },
  })
}

/** Runs a command as it stands in the table. */
async function typed(cwd: string, command: string) {
  const split = splitCommand(command)
  if (!('words' in split) || split.words[0] !== 'bench') throw new Error(`is no command of bench: ${command}`)
  const { code, stdout, stderr } = await bench(split.words.slice(1), { cwd })
  return {
    code,
    stdout,
    message: stderr
      .replaceAll(cwd, 'FOLDER')
      .replaceAll(root, 'BENCH')
      .replaceAll(/\b[0-9a-f]{10}\b/g, 'COMMIT'),
  }
}

/** Checks that a wrong input is told in one line with a remedy, and that the remedy works. */
export async function checkRemedy(cwd: string, [, wrong, right, change = {}]: WrongInput): Promise<void> {
  const { code, stdout, message } = await typed(cwd, wrong)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  // Each line names the thing and the fact, and ends with what to do; nothing of the program shows.
  for (const line of message.split('\n')) expect(line).toMatch(/^(?:bench: \[.+\]|note:) .*\. .*\S$|^note: /)
  expect(message).not.toMatch(/^\s+at |\.[jt]s:\d+:\d+|Internal error|ZodError|TypeError|expected \w+ to be/m)
  expect(message).toMatchSnapshot()
  writeFiles(cwd, change)
  const done = await typed(cwd, right)
  expect([right, done.code, done.code === 0 ? '' : done.message]).toEqual([right, 0, ''])
  writeFiles(cwd, files)
}
