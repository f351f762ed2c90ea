import { tableOf } from '../house/tables.ts'
// Suites of code written for the tests, in the layouts of the published ones.

/** Lines of MBPP in its full form: with CRLF in code, a class and setup code, challenge tests, and a function called check. */
export const mbppLines = {
  rings: {
    text: 'Write a function to count the closed rings in the digits of a number.',
    code: 'def count_rings(number):\r\n    return sum({"8": 2}.get(digit, digit in "069") for digit in str(number))',
    task_id: 901,
    test_setup_code: '',
    test_list: [
      'assert count_rings(80) == 3',
      'assert count_rings(17) == 0',
      'assert count_rings(6089) == 5',
    ],
    challenge_test_list: ['assert count_rings(888888) == 12'],
  },
  chain: {
    text: 'Write a function to find the length of a chain of links.',
    code: 'class Link:\r\n    def __init__(self, next=None):\r\n        self.next = next\r\n\r\ndef chain_length(link):\r\n    return 0 if link is None else 1 + chain_length(link.next)',
    task_id: 902,
    test_setup_code: 'long = Link(Link(Link()))\r\nshort = Link()',
    test_list: [
      'assert chain_length(long) == 3',
      'assert chain_length(short) == 1',
      'assert chain_length(None) == 0',
    ],
    challenge_test_list: [],
  },
  check: {
    text: 'Write a function to check whether a word reads the same in both directions.',
    code: 'def check(word):\n    return "Yes" if word == word[::-1] else "No"',
    task_id: 903,
    test_setup_code: '',
    test_list: ['assert check("noon") == "Yes"', 'assert check("moon") == "No"', 'assert check("") == "Yes"'],
    challenge_test_list: [],
  },
} as const

/** Tasks of MBPP in its sanitized form: asserts that wrap the call. */
export const sanitizedTasks = {
  shared: {
    source_file: 'own.ipynb',
    task_id: 901,
    prompt: 'Write a function to find the letters that two words share.',
    code: 'def shared_letters(a, b):\n    return sorted(set(a) & set(b))',
    test_imports: [],
    test_list: [
      'assert set(shared_letters("plane", "train")) == set(["a", "n"])',
      'assert set(shared_letters("sky", "tree")) == set()',
      'assert set(shared_letters("oak", "kayak")) == set(["k", "a"])',
    ],
  },
  cone: {
    source_file: 'own.ipynb',
    task_id: 904,
    prompt: 'Write a function to find the volume of a cone.',
    code: 'import math\ndef cone(radius, height):\n    return math.pi * radius ** 2 * height / 3',
    test_imports: ['import math'],
    test_list: [
      'assert math.isclose(cone(1, 3), 3.14159, rel_tol=0.001)',
      'assert math.isclose(cone(2, 6), 25.1327, rel_tol=0.001)',
      'assert math.isclose(cone(3, 0.5), 4.71239, rel_tol=0.001)',
    ],
  },
} as const

const jsFunction = (id: number, prompt: string, solution: string, test: string, example = '') => ({
  task_id: `JavaScript/${id}`,
  prompt,
  canonical_solution: solution,
  declaration: `\n${prompt.trimEnd().split('\n').at(-1)}\n`,
  test,
  example_test: example,
})

/** Lines of HumanEval-X for JavaScript: one with examples, one whose test uses a helper of the prompt and loops. */
export const javaScriptLines = {
  clamp: jsFunction(
    901,
    '/* Keeps a number between two others.\n  >>> clampTo(7, 1, 5)\n  5\n  */\nconst clampTo = (value, low, high) => {\n',
    '  if (value < low) return low\n  return value > high ? high : value\n}\n\n',
    'const testClampTo = () => {\n  console.assert(clampTo(7, 1, 5) === 5)\n  console.assert(clampTo(-2, 1, 5) === 1)\n  console.assert(\n    clampTo(3, 1, 5) === 3\n  )\n}\n\ntestClampTo()\n',
    'const testClampTo = () => {\n  console.assert(clampTo(7, 1, 5) === 5)\n}\ntestClampTo()\n',
  ),
  unwrap: jsFunction(
    902,
    "/* Puts each text into brackets. */\nconst wrapAll = (texts) => {\n  return texts.map((text) => '[' + text + ']')\n}\n\n/* Undoes wrapAll. */\nconst unwrapAll = (texts) => {\n",
    '  return texts.map((text) => text.slice(1, -1))\n}\n\n',
    "const testUnwrapAll = () => {\n  for (let i = 0; i < 5; i++) {\n    const texts = new Array(i).fill(null).map((_, at) => 't' + at)\n    console.assert(JSON.stringify(unwrapAll(wrapAll(texts))) === JSON.stringify(texts))\n  }\n}\n\ntestUnwrapAll()\n",
  ),
} as const

/** A folder in the layout of QuixBugs, file by file: two programs with cases, one that works on graphs, and a helper. */
export const quixbugsFiles: Readonly<Record<string, string>> = tableOf(import.meta.url, 'quixbugsFiles')
