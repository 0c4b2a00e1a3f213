import { instantSql } from '../../platform/db/view.ts'
import { eventIdSql } from './event-id.ts'

type Parts = { id: string; event: string; at: string; data: string }
/**
 * SQL of the body that is sent of an event. What it takes is SQL itself: a uuid, one of the program's own names, an
 * instant, and the text of a JSON object. Nothing is escaped.
 */
export const payloadSql = ({ id, event, at, data }: Parts): string => `
  '{"id":"' || ${eventIdSql(id)} || '","event":"' || ${event} || '","occurred_at":"' || ${instantSql(at)}
    || '","data":' || ${data} || '}'`
