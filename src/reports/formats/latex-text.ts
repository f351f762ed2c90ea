const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\^{}',
  '~': '\\~{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '{\\ttfamily\\symbol{34}}',
  // In braces, so that they form no ligature with their neighbours and no option of a command.
  "'": "{'}",
  '`': '{`}',
  '-': '{-}',
  ',': '{,}',
  '?': '{?}',
  '!': '{!}',
  '[': '{[}',
  ']': '{]}',
}

/**
 * Escapes text for LaTeX, in any font encoding. Letters of western Europe stay; other characters become their number, such as
 * `U+1F600`, because a character without a glyph would silently vanish from a name.
 */
export function latexText(text: string): string {
  return [...text].map(latexCharacter).join('')
}

/** Escapes names and commands, and allows line breaks after any sign and inside long words. */
export function latexName(text: string): string {
  let run = 0
  return [...text]
    .map((character) => {
      run = /[A-Za-z0-9]/.test(character) && run < longestPart ? run + 1 : 0
      return `${latexCharacter(character)}${run === 0 && character !== ' ' ? '\\allowbreak{}' : ''}`
    })
    .join('')
}

const longestPart = 16

function latexCharacter(character: string): string {
  const command = commands[character]
  if (command !== undefined) return command
  if (/^[ -~\u00c0-\u00ff]$/.test(character) && !/[ÐðÞþ×÷]/.test(character)) return character
  return `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`
}
