import { type Texts, writeTexts } from '../../suites/native-texts.ts'
import { tableOf } from '../house/tables.ts'

/** An exercise in the layout of a track. */
export interface ExerciseTexts {
  slug: string
  /** Entries of the track's `config.json`. */
  listed?: Record<string, unknown>
  /** Files by path; those of `.meta` and `.docs` too. */
  files: Texts
}

const language = { javascript: 'JavaScript', typescript: 'TypeScript', python: 'Python', go: 'Go' }

/** Writes a track of Exercism: its `config.json` and its practice exercises. */
export function writeTrack(
  folder: string,
  slug: keyof typeof language,
  exercises: readonly ExerciseTexts[],
): void {
  const practice = exercises.map(({ slug, listed }) => ({
    slug,
    name: slug.toUpperCase(),
    difficulty: 1,
    ...listed,
  }))
  writeTexts(folder, '.', {
    'config.json': JSON.stringify({ language: language[slug], slug, exercises: { practice } }),
  })
  for (const { slug, files } of exercises) writeTexts(folder, `exercises/practice/${slug}`, files)
}

/** An exercise of JavaScript: two functions, a live test and three others. */
export const gates: ExerciseTexts = {
  slug: 'logic-gates',
  listed: { difficulty: 4, topics: ['booleans', 'functions'] },
  files: {
    '.docs/introduction.md': '# Introduction\n\nGates join signals.\n',
    '.docs/instructions.md': '# Instructions\n\nWrite an AND gate and a NOT gate.\n',
    '.docs/instructions.append.md': '# Instructions append\n\nUse no tables.\n',
    '.meta/config.json': JSON.stringify({
      files: {
        solution: ['logic-gates.js'],
        test: ['logic-gates.spec.js'],
        example: ['.meta/proof.ci.js'],
        editor: ['signals.js'],
      },
    }),
    '.meta/proof.ci.js': `import { high } from '../signals';

export const and = (a, b) => (a === high && b === high ? high : 0);
export const not = (a) => {
  if (a === undefined) throw new Error('no signal');
  return a === high ? 0 : high;
};
`,
    'logic-gates.js': `export const and = () => {
  throw new Error('Remove this line');
};
export const not = () => {
  throw new Error('Remove this line');
};
`,
    'signals.js': 'export const high = 1;\n',
    'package.json': '{ "name": "@exercism/javascript-logic-gates" }\n',
    'logic-gates.spec.js': `import { describe, expect, test, xtest } from '@jest/globals';
import { and, not } from './logic-gates';
import { high } from './signals';

describe('gates', () => {
  test('AND of two', () => {
    expect(and(high, high)).toEqual(high);
  });

  xtest('AND of one', () => {
    expect([and(high, 0), and(0, high)]).toEqual([0, 0]);
  });

  xtest('NOT', () => {
    expect(not(0)).toBe(high);
    expect(() => not()).toThrow('no signal');
  });

  test.skip('a test that is left out on purpose', () => {
    expect(and()).toBe(true);
  });
});

xdescribe('tables', () => {
  xtest.each([
    [0, 0],
    [1, 1],
  ])('%d and itself', (a, wanted) => {
    expect(and(a, a)).toBe(wanted);
  });
});
`,
  },
}

/** An exercise of TypeScript with an enum, whose \`.meta/config.json\` lacks a comma. */
export const lamp: ExerciseTexts = tableOf(import.meta.url, 'lamp')

/** An exercise of Python with a class, an exception of its own, and a skipped test. */
export const till: ExerciseTexts = {
  slug: 'cash-till',
  files: {
    '.docs/instructions.md': 'Write a till.\n',
    '.meta/config.json': JSON.stringify({
      files: {
        solution: ['cash_till.py'],
        test: ['cash_till_test.py', 'till_help.py'],
        example: ['.meta/example.py'],
      },
    }),
    '.meta/example.py': `class EmptyTill(Exception):
    def __init__(self, message):
        self.message = message


class Till:
    def __init__(self):
        self.coins = []

    def put(self, coin):
        self.coins.append(coin)

    def take(self):
        if not self.coins:
            raise EmptyTill("The till is empty")
        return self.coins.pop()
`,
    'cash_till.py': `class EmptyTill(Exception):
    pass


class Till:
    def __init__(self):
        pass

    def put(self, coin):
        pass

    def take(self):
        pass
`,
    'till_help.py': 'COINS = [1, 2, 5]\n',
    'cash_till_test.py': `import unittest

from cash_till import EmptyTill, Till
from till_help import COINS


class TillTest(unittest.TestCase):
    def setUp(self):
        self.till = Till()

    def test_takes_the_last_coin(self):
        for coin in COINS:
            self.till.put(coin)
        self.assertEqual(self.till.take(), 5)

    def test_refuses_to_give_from_nothing(self):
        with self.assertRaises(EmptyTill) as err:
            self.till.take()
        self.assertEqual(err.exception.args[0], "The till is empty")

    @unittest.skip("extra")
    def test_extra(self):
        self.fail()


if __name__ == "__main__":
    unittest.main()
`,
  },
}
