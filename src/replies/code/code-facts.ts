/** What a piece of code says of itself, as far as its choice needs it. */
export interface CodeFacts {
  /** The names that it binds at its top level, imports among them. */
  defines: ReadonlySet<string>
  /** Those of them that can be called: functions, classes, imports, no plain values. */
  functions: ReadonlySet<string>
  /** The methods of its top-level classes and objects, each with what it is called on. */
  methods: ReadonlyMap<string, Receiver>
  /** The names that it reads and binds nowhere. */
  uses: ReadonlySet<string>
  /** The top-level functions without a body: a signature, a docstring, `pass`. */
  sketches: ReadonlySet<string>
  /** Whether it reads as the body of a function: it returns outside of one. */
  isBody: boolean
}

/** What a method is called on. */
export interface Receiver {
  owner: string
  /** Whether the owner is a class that must be instantiated first. */
  isInstance: boolean
}

/** A comment that stands for code that was left out: `# ... existing code ...`, `// rest of the code`. */
export const elision =
  /(?:#|\/\/)\s*(?:\.{3}|…)?\s*(?:(?:the )?rest of|existing code|same as (?:before|above)|remaining code|(?:\.{3}|…)\s*$)/im

/** A comment that asks for code: `# your code here`, `// TODO`. */
export const placeholder =
  /(?:#|\/\/)\s*(?:todo\b|(?:write |add |put |insert )?your (?:code|solution|implementation)\b|implement(?:ation)? (?:here|me|this)\b)/i

const sign = '(?:#+|//+|/\\*+|<!--|--|;+|%+|\\{/\\*)'
const leftOut =
  '(?:rest|other|existing|unchanged|remain(?:ing|s|der)?|omitted|previous|same as|as before|as above|no changes?|left out|snip(?:ped)?)'
const subject =
  '(?:code|file|content|contents|text|function|functions|methods?|class|implementation|lines?|sections?)'
/** A line of its own that stands for text: an ellipsis with words, or a comment that says so. */
const leftOutLine = new RegExp(
  [
    `^[ \\t]*(?:${sign}[ \\t]*)?[([<]?[ \\t]*(?:\\.{3}|…)[^\\n]{0,60}\\b${leftOut}\\b[^\\n]{0,80}$`,
    `^[ \\t]*${sign}[ \\t]*[([<]?(?:the[ \\t]+)?(?:rest of|existing|remaining)[ \\t]+(?:the[ \\t]+|your[ \\t]+)?${subject}\\b[^\\n]{0,80}$`,
    `^[ \\t]*${sign}[ \\t]*[([<]?[^\\n]{0,40}\\b(?:(?:remains?|stays?)[ \\t]+(?:the[ \\t]+same|unchanged)|unchanged)\\b[^\\n]{0,20}(?:\\.{3}|…|\\)|\\])`,
  ].join('|'),
  'im',
)

/** Returns the first line of a file that stands for text that was left out, such as `// ... rest of the file unchanged ...`. */
export const findLeftOut = (text: string): string | undefined => leftOutLine.exec(text)?.[0].trim()
