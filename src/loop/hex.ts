/** Value of each byte that is a lower-case hexadecimal digit; -1 for the others. */
const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte)),
)

/** Whether so many bytes are all lower-case hexadecimal digits. */
export function areHex(bytes: Uint8Array, at: number, length: number): boolean {
  let all = 0
  for (let index = at; index < at + length; index++) all |= digits[bytes[index] as number] as number
  return all >= 0
}

/** Eight of them as a number of 32 bits with a sign. */
export function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0
  for (let index = at; index < at + 8; index++)
    word = (word << 4) | (digits[bytes[index] as number] as number)
  return word
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** 32 bits, with or without a sign, as eight digits: `toString(16)` divides numbers beyond 31 bits digit by digit. */
export function hexOf(word: number): string {
  return `${pairs[word >>> 24]}${pairs[(word >>> 16) & 0xff]}${pairs[(word >>> 8) & 0xff]}${pairs[word & 0xff]}`
}
