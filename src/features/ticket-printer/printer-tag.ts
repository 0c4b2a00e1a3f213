/** The properties that all routes of the ticket printer share. */
export const PRINTER = {
  tag: { name: 'Ticket printer', description: 'Files that a GDS writes for a ticket printer.' },
  scope: ['ticket_import', 'full'],
  policy: 'import_tickets',
} as const
