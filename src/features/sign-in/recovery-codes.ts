import { hash, randomInt } from 'node:crypto'

const HOW_MANY = 10
/** Without letters that look like digits: 16 of 32 signs are 80 random bits, too many to try even with the hashes. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

const newCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join(''),
  ).join('-')

export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, newCode)
/** However it was typed. */
export const hashRecoveryCode = (code: string): Buffer =>
  hash('sha256', code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''), 'buffer')
