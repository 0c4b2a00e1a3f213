import { expect, it } from 'vitest'
import { foldersWithoutColumn } from './coverage/tables.ts'

it('every folder of fixtures is in a column of the tables of docs/ticket-formats.md', () => {
  expect(foldersWithoutColumn()).toEqual([])
})
