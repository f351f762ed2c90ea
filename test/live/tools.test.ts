import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { key } from '../helpers/agents/wire-families.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { asksOf, recordsOf, root } from '../helpers/runs/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { programs, writing } from './clients.ts'
import { liveArgs, liveSetting, logByTrial, patience, runLive } from './live-run.ts'

type Shell = (typeof programs)[number]['shell']

/**
 * A model that has its client run a command in each ask, and then says that it is done. On a busy machine Qwen Code leaves out
 * what a command prints right before its end.
 */
const worker = (shell: Shell, command: () => string) =>
  liveSetting(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'It is done.' }
      : { text: 'I work.', toolCalls: [shell(`${command()}; sleep 2`)] },
  )

/** Returns the results of an ask's tools, as sent to the model. */
const seenIn = (log: readonly LogEntry[]) => log.map(({ body }) => JSON.stringify(body)).join('\n')

it.each(programs)(
  '$agent solves a code task by editing files, with the tokens of both requests',
  async ({ agent, shell }) => {
    const path = 'src/parse-duration.mjs'
    const solution = readFileSync(join(root, 'tasks/code/duration-text/solution', path), 'utf8')
    const setting = await worker(shell, () => writing(path, solution))
    await runLive(setting, liveArgs(setting.folder, agent, 'duration-text', 'baseline'))

    expect(recordsOf(setting.folder)).toMatchObject([{ passed: true, outcome: { status: 'completed' } }])
    const [ask] = asksOf(setting.folder)
    expect(ask?.changeSet?.changes).toMatchObject([{ path }])
    const log = [...logByTrial(setting).values()].flat()
    expect(log).toHaveLength(2)
    const sum = (part: 'input' | 'output') =>
      log.reduce((total, { usage }) => total + (usage?.[part] ?? 0), 0)
    expect([ask?.tokens.input, ask?.tokens.output]).toEqual([sum('input'), sum('output')])
  },
  patience,
)

it.each(programs)(
  '$agent finds no checkout, tasks, results, homes, environments or key',
  async ({ agent, shell }) => {
    const task = join(root, 'tasks/code/duration-text')
    const visible = testsIn(join(task, 'checks'))
    const planted = 'a-secret-of-this-machine'
    const command = () =>
      [
        `cat ${root}/package.json ${task}/tests/* ${task}/solution/src/*`,
        `cat ${setting.folder}/* ${setting.home}/* ${elsewhere}/*`,
        `ls -a ${root} ${root}/tasks ${root}/tasks/code /home /Users`,
        `for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file; done`,
        'env; cat /etc/passwd /etc/shadow; cat /proc/[0-9]*/cmdline; echo looked in $PWD',
      ].join('; ')
    const setting = await worker(shell, command)
    const elsewhere = tempFolder()
    for (const folder of [setting.home, elsewhere]) writeFileSync(join(folder, 'planted'), planted)
    const env = { BENCH_TEST_SECRET: planted }
    await runLive(setting, liveArgs(setting.folder, agent, 'duration-text', 'baseline'), { env })

    const seen = seenIn([...logByTrial(setting).values()].flat())
    expect(seen).toContain('looked in /workspace')
    const [hidden = ''] = testsIn(join(task, 'tests')).filter((line) => !visible.includes(line))
    expect(hidden).not.toBe('')
    for (const text of [hidden, planted, key, 'bench:perf', 'taskSelectors', 'expiring-cache', 'root:x:0'])
      expect(seen).not.toContain(text)
  },
  patience,
)

/** Files that some of the programs read as their memory. */
const memories = [
  ...['CLAUDE.md', 'AGENTS.md', 'GEMINI.md', 'QWEN.md', '.claude/CLAUDE.md', '.codex/AGENTS.md'],
  ...['.gemini/GEMINI.md', '.qwen/QWEN.md', '.config/opencode/AGENTS.md', 'notes.txt'],
]
/**
 * Lists the files that hold the fact, after a word. The command stands in transcripts: it holds neither fact nor answer. What
 * is installed, maybe below /tmp, nobody can write.
 */
const look = (word: string) =>
  `grep -rlsE --exclude-dir=node_modules 'PLANTED[-]FACT' "$HOME" /tmp /var/tmp /workspace | sed 's,^,${word}:,'`
// Without `$(…)`, which one of the programs refuses.
const plant = [
  'cd "$HOME"; mkdir -p .claude .codex .gemini .qwen .config/opencode',
  `for file in ${memories.join(' ')}; do printf 'PLANTED%sFACT\\n' - >> $file; done`,
].join('; ')

it.each(programs)(
  '$agent finds nothing in a trial that another trial told it to remember',
  async ({ agent, shell }) => {
    const setting = await worker(shell, () => `${look('before')}; ${plant}; ${look('after')}; echo looked`)
    const args = liveArgs(setting.folder, agent, 'ferry-morning', 'baseline')
    await runLive(setting, [...args, '--epochs', '2'])
    const trials = [...logByTrial(setting).values()]
    expect(trials).toHaveLength(2)
    for (const log of trials) {
      expect(seenIn(log.slice(0, 1))).not.toContain('PLANTED-FACT')
      expect(seenIn(log)).toMatch(/after:\/[^ ]*notes\.txt/)
      expect(seenIn(log)).not.toMatch(/before:\//)
    }
  },
  patience,
)

/** Names of tests in a folder, as they stand in its files. */
function testsIn(folder: string): string[] {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return texts.flatMap((text) => text.match(/(?<=^test\(').*(?=')/gm) ?? [])
}
