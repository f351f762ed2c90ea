export const remedies: Readonly<Record<string, string>> = {}
export const foreignWords: Readonly<Record<string, readonly string[] | string>> = {}
