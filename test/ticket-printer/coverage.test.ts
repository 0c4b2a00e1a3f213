import { expect, it } from 'vitest'
import { foldersWithoutColumn } from './coverage/tables.ts'

it('every folder of fixtures has a column in the tables of docs/ticket-formats.md', () => {
  expect(foldersWithoutColumn()).toEqual([])
})
