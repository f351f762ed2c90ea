import { unknownName } from '../../loop/plan/unknown-name.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'

/** Words that other tools have for a command, and what does it here. */
const elsewhere: readonly (readonly [words: string, remedy: string])[] = [
  [
    'serve ui web open browse dashboard page',
    'bench view shows runs in the browser; bench report RUN --format html --out page.html writes a page.',
  ],
  ['list ls', 'bench runs, bench tasks, bench methods and bench agents each list what their name says.'],
  ['version', 'bench --version prints it.'],
  ['eval evaluate test start exec execute bench benchmark', 'bench run does it.'],
  ['resume continue retry rerun', 'bench run --resume RUN goes on with a stopped run.'],
  ['log logs results', 'bench runs lists the runs; bench show RUN lists the trials of one.'],
  ['trial trials story inspect', 'bench show RUN lists the trials; bench show RUN TRIAL prints one.'],
  ['delete remove rm clean gc', 'bench runs prune --older-than 30d removes old runs.'],
  ['export table latex html csv pdf', 'bench report RUN --format NAME: latex, html, csv, pdf, and others.'],
  ['diff', 'bench compare A B compares two methods.'],
  ['estimate cost price prices', 'bench run --dry-run estimates; bench reprice RUN takes current prices.'],
  ['new create add', 'bench init writes a config file, bench tasks new a task.'],
  ['stop cancel', 'Press Ctrl-C, or write bench pause RUN.'],
  ['model models provider providers', 'bench agents lists them.'],
  ['suite suites dataset datasets questions', 'bench tasks lists them.'],
  ['strategy strategies workflows', 'bench methods lists them.'],
  ['config setup', 'bench init writes a config file.'],
  ['docs doc man guides topics', 'bench help lists the guides.'],
  ['validate lint', 'bench check FILE reports the mistakes of a document.'],
  ['watch', 'Nothing runs again by itself: write bench run once more.'],
]

/** Throws `UserError` for an unknown command, with what does it: of other tools' words, of commands below others, or the most similar one. */
export default function rejectUnknownCommand(
  word: string,
  commands: readonly string[],
  below: readonly string[],
): never {
  const problem = unknownName(`bench ${word}`, 'command', word, commands, 'bench --help')
  const [, remedy] = elsewhere.find(([words]) => words.split(' ').includes(word.toLowerCase())) ?? []
  const named = below.filter((path) => path.endsWith(` ${word}`))
  // Tasks are an option, and no word of their own.
  const [, lines] = /\.(?:csv|tsv|(jsonl|ndjson))$/.exec(word) ?? ['', '']
  const source = /^[a-z-]+:./.test(word) ? word : lines !== '' && `${lines ? 'jsonl' : 'csv'}:${word}`
  if (source)
    throw new UserError({ ...problem, fix: `Write bench --tasks ${shellWord(source)} --methods baseline.` })
  const fix = named.length > 0 ? `Did you mean ${named.join(' or ')}?` : (remedy ?? problem.fix)
  throw new UserError({ ...problem, ...(fix && { fix }) })
}
