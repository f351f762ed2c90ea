/** A comment that stands for code that was left out: `# ... existing code ...`, `// rest of the code`. */
export const elision =
  /(?:#|\/\/)\s*(?:\.{3}|…)?\s*(?:(?:the )?rest of|existing code|same as (?:before|above)|remaining code|(?:\.{3}|…)\s*$)/im

/** A comment that asks for code: `# your code here`, `// TODO`. */
export const placeholder =
  /(?:#|\/\/)\s*(?:todo\b|(?:write |add |put |insert )?your (?:code|solution|implementation)\b|implement(?:ation)? (?:here|me|this)\b)/i
