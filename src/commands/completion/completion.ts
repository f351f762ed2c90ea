import type { Command, Option } from 'commander'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { usualCommand } from '../terminal/check-usage.ts'
import { completedWords, type Words } from './words.ts'

type Places = Readonly<Record<string, Words>>

/** Zsh has a layer for completions of bash. */
const zshStart = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
autoload -Uz bashcompinit && bashcompinit
`

const kinds: Readonly<Record<string, string>> = { bash: '', zsh: zshStart }

/** `bench completion SHELL`: prints a script for the shell, made from the declared commands and the table of settings. */
export async function completionFor(program: Command, kind: string): Promise<number> {
  const start = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (start === undefined)
    throw new UserError(
      unknownName(
        `bench completion ${kind}`,
        'completion for',
        kind,
        Object.keys(kinds),
        'bench help completion',
      ),
    )
  process.stdout.write(start + bashScript(program, await completedWords()))
  return 0
}

/** Returns the script for bash: it completes commands, options and the words that these take, and else names of files. */
function bashScript(program: Command, places: Places): string {
  const commands = allCommands(program, 'bench')
  const values = commands.flatMap(({ path, command }) => valueCases(path, command, places))
  return `_bench() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at=bench words= options= begin= i
  # The shell takes = as a word of its own.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commands
        .slice(1)
        .map(({ path }) => shellWord(path))
        .join('|')}) at="$at \${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${unique(values).join('\n')}
    *) case "$at" in
${commands.map(({ path, command }) => wordCase(path, command, places)).join('\n')}
      esac
      if [[ $cur == -* ]]; then words=$options; fi ;;
  esac
  # In a list only the part behind the last comma is completed.
  if [[ $cur == *,* ]]; then begin=\${cur%,*},; cur=\${cur##*,}; fi
  COMPREPLY=($(compgen -P "$begin" -W "$words" -- "$cur"))
  if [[ \${#COMPREPLY[@]} == 1 && \${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
_bench_runs() {
  local run
  for run in results/*/run.json; do
    run=\${run#results/}
    case $run in '*'*) ;; *) echo "\${run%/run.json}" ;; esac
  done
}
complete -o default -F _bench bench
`
}

interface Placed {
  path: string
  command: Command
}

const allCommands = (command: Command, path: string): Placed[] => [
  { path, command },
  ...command.commands.flatMap((one) => allCommands(one, `${path} ${one.name()}`)),
]

function usual(command: Command): Command {
  const found = usualCommand(command)
  return found ? usual(found) : command
}

/** The cases in which the word before is an option that takes a value. */
function valueCases(path: string, command: Command, places: Places): string[] {
  return usual(command).options.flatMap((option) => {
    if (!option.long || !(option.required || option.optional)) return []
    return [`    ${flags(path, option)}) ${said(places[`${path} ${option.long}`] ?? places[option.long])} ;;`]
  })
}

const flags = (path: string, { long, short }: Option): string =>
  [long, short].flatMap((flag) => (flag ? [shellWord(`${path} ${flag}`)] : [])).join('|')

/** The case of a command: its subcommands, the words of its arguments, and its options. */
function wordCase(path: string, command: Command, places: Places): string {
  const own = usual(command)
  const names = command.commands.map((one) => one.name())
  const given = own.registeredArguments.map((one) => places[`${path} ${one.name()}`] ?? places[one.name()])
  const [first] = given
  const words = { words: [...names, ...(first?.words ?? [])], areRuns: first?.areRuns === true }
  const options = own.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []))
  return `      ${shellWord(path)}) options=${shellWord([...options, '--help'].join(' '))} ${said(words)} ;;`
}

/** The assignment of the words of a place; files where nothing is known. */
function said(place: Words | undefined): string {
  if (place === undefined) return 'words='
  const words = shellWord(place.words.join(' '))
  return place.areRuns ? `words=${words}" $(_bench_runs)"` : `words=${words}`
}

const unique = (lines: readonly string[]) => [...new Set(lines)]
