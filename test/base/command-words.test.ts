import { expect, it } from 'vitest'
import { splitCommand } from '../../src/base/command-words.ts'
import { tableOf } from '../helpers/house/tables.ts'

it.each<[string, string[]]>([
  ['notify-send', ['notify-send']],
  ['  notify-send   done  ', ['notify-send', 'done']],
  ['say "it has ended"', ['say', 'it has ended']],
  ['say \'a "b" \\c\'', ['say', 'a "b" \\c']],
  ['say "a \\"b\\" \\\\ $HOME; *"', ['say', 'a "b" \\ $HOME; *']],
  ['say a\\ b', ['say', 'a b']],
  ['say --title=\'a b\'"c d"e', ['say', '--title=a bc de']],
  ["say '' x", ['say', '', 'x']],
  ['say ünï\tcode', ['say', 'ünï', 'code']],
])('splits %s into words', (text, words) => {
  expect(splitCommand(text)).toEqual({ words })
})

it.each(tableOf<[string, string][]>(import.meta.url, 'refuses'))('refuses %s', (text, problem) => {
  expect(splitCommand(text)).toEqual({ problem })
})
