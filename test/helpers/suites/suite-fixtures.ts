import { resolve } from 'node:path'
import { root } from '../runs/cli.ts'
import { javaScriptLines, mbppLines, quixbugsFiles } from './code-suites.ts'
import { gates } from './exercism-track.ts'
import { jsonLines, writeFiles } from './write-suite.ts'

/** A small suite of a format: its files, and what stands behind `NAME:` to select it in their folder. */
export interface SuiteFixture {
  files: Readonly<Record<string, string>>
  source: string
}

const humanevalLine = {
  task_id: 'HumanEval/900',
  prompt:
    'def every_third(items):\n    """ Every third item.\n    >>> every_third([1, 2, 3, 4])\n    [1, 4]\n    """\n',
  entry_point: 'every_third',
  canonical_solution: '    return [item for at, item in enumerate(items) if at % 3 == 0]\n',
  test: 'def check(candidate):\n    assert candidate([1, 2, 3, 4]) == [1, 4]\n    assert candidate(["seven"]) == ["seven"]\n',
}

/**
 * A suite for each importer, by its name. Each has tasks whose hidden tests and solutions have lines that nothing visible has. Add one
 * for a new importer: the search of prompts for hidden tests runs them all.
 */
export const suiteFixtures: Readonly<Record<string, SuiteFixture>> = {
  native: { files: {}, source: resolve(root, 'tasks/python/page-ranges') },
  humaneval: { files: { 'HumanEval.jsonl': jsonLines(humanevalLine) }, source: 'HumanEval.jsonl' },
  'humaneval-js': {
    files: { 'humaneval_js.jsonl': jsonLines(javaScriptLines.clamp) },
    source: 'humaneval_js.jsonl',
  },
  mbpp: { files: { 'mbpp.jsonl': jsonLines(mbppLines.rings) }, source: 'mbpp.jsonl' },
  quixbugs: {
    files: Object.fromEntries(Object.entries(quixbugsFiles).filter(([path]) => path.includes('count_down'))),
    source: '.',
  },
  exercism: {
    files: {
      'config.json': JSON.stringify({
        language: 'JavaScript',
        slug: 'javascript',
        exercises: { practice: [{ slug: gates.slug, name: gates.slug, ...gates.listed }] },
      }),
      ...Object.fromEntries(
        Object.entries(gates.files).map(([path, text]) => [`exercises/practice/${gates.slug}/${path}`, text]),
      ),
    },
    source: '.',
  },
  csv: {
    files: {
      'questions.csv':
        'question,answer\nWhich word is written on the blue door of the mill?,a word about harvests\n',
    },
    source: 'questions.csv',
  },
  jsonl: {
    files: {
      'riddles.jsonl': jsonLines({
        question: 'What is the name of the eldest ferry?',
        answer: 'the Patient Heron of Luce',
      }),
    },
    source: 'riddles.jsonl',
  },
  gsm8k: {
    files: {
      'test.jsonl': jsonLines({
        question: 'A boat takes 7 crates and returns for 6 more. How many crates are there?',
        answer: 'The boat carries 7 crates, then 6 crates.\nIt carries 7 + 6 = <<7+6=13>>13 crates.\n#### 13',
      }),
    },
    source: 'test.jsonl',
  },
  bbh: {
    files: {
      'word_sorting.json': JSON.stringify({
        canary: 'A line of a fixture that no prompt must show.',
        examples: [
          {
            input: 'Sort the following words alphabetically: List: willow elder hazel',
            target: 'elder hazel willow',
          },
        ],
      }),
    },
    source: 'word_sorting.json',
  },
  math: {
    files: {
      'test.jsonl': jsonLines({
        problem: 'A circle has the radius 3. What is its area?',
        solution: 'The area is $\\pi r^2$ with $r = 3$, so it is $\\boxed{9\\pi}$.',
        answer: '9\\pi',
        subject: 'Geometry',
        level: 2,
        unique_id: 'test/geometry/900.json',
      }),
    },
    source: 'test.jsonl',
  },
  'mmlu-pro': {
    files: {
      'questions.jsonl': jsonLines({
        question_id: 900,
        question: 'Which of these is a bird that cannot fly?',
        options: ['the heron', 'the swift', 'the kiwi', 'the kestrel'],
        answer: 'C',
        category: 'biology',
      }),
    },
    source: 'questions.jsonl',
  },
}

/** Writes the suites of these importers, each into a folder of its own; returns what `--tasks` takes. */
export const everyFormat = (names: readonly string[]): string =>
  names
    .flatMap((name) => {
      const fixture = suiteFixtures[name]
      return fixture ? [`${name}:${resolve(writeFiles(fixture.files), fixture.source)}`] : []
    })
    .join(',')
