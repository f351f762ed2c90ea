/**
 * Returns a text as a part of an address: small letters a to z and digits, with one dash for everything else in a row, and no
 * dash at the beginning or the end. Letters with accents lose them.
 */
export function slug(text) {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .replace(/^-|-$/g, '')
}
