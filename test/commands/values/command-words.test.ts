import { expect, it } from 'vitest'
import { splitCommand } from '../../../src/commands/values/command-words.ts'

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

it.each([
  ['', 'is empty'],
  ['   ', 'is empty'],
  ["'' x", 'is empty'],
  ['say "done', 'has no closing "'],
  ["say it's", "has no closing '"],
  ['say done\\', 'ends with a backslash'],
  ['say a | mail b', 'has | outside of quotes, but no shell runs'],
  ['say a; rm b', 'has ; outside of quotes, but no shell runs'],
  ['say $HOME', 'has $ outside of quotes, but no shell runs'],
  ['say `id`', 'has ` outside of quotes, but no shell runs'],
  ['say a > b', 'has > outside of quotes, but no shell runs'],
  ['say *.md', 'has * outside of quotes, but no shell runs'],
])('refuses %s', (text, problem) => {
  expect(splitCommand(text)).toEqual({ problem })
})
