import { hash } from 'node:crypto';
import { DomainError, ValidationFailedError } from '../errors/domain-error.js';
import { canonicalJson } from './canonical-json.js';
import { parseTimestamp } from './instant.js';

export const IF_MATCH_HEADER = 'If-Match';

/** An entity tag (RFC 9110, 8.8.3). */
const TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const TAGS = new RegExp(TAG, 'g');
/** Commas separate tags; recipients must accept empty elements (RFC 9110, 5.6.1). */
const TAG_LIST = new RegExp(`^[ \\t,]*${TAG}(?:[ \\t]*,[ \\t,]*${TAG})*[ \\t,]*$`);

/** The strong tag of a representation: different for every value that it shows. */
export const etagOf = (representation: object): string =>
  `"${hash('sha256', canonicalJson(representation), 'base64url')}"`;

/**
 * A record as its endpoints return it; `updated_at` grows with every change of the record itself.
 */
interface Representation {
  /** null: nothing of it is stored. */
  updated_at: string | null;
}

/** The condition of a write: that the client has seen the current representation. */
export class Precondition {
  /** @param tags undefined for a write without a condition, which `*` is too for what exists */
  private constructor(private readonly tags: readonly string[] | undefined) {}

  /** @throws ValidationFailedError */
  static ofIfMatch(header: string | undefined): Precondition {
    if (header === undefined || header.trim() === '*') return new Precondition(undefined);
    if (TAG_LIST.test(header)) return new Precondition(header.match(TAGS) ?? []);
    throw new ValidationFailedError({
      [IF_MATCH_HEADER]: [
        {
          reason: 'malformed',
          message: `${IF_MATCH_HEADER} must be * or a list of entity tags, each in double quotes, also a timestamp`,
        },
      ],
    });
  }

  /** @param tag a single one, with or without its quotes; undefined: no condition */
  static ofTag(tag: string | undefined): Precondition {
    if (tag === undefined) return new Precondition(undefined);
    return new Precondition([tag.includes('"') ? tag : `"${tag}"`]);
  }

  /**
   * Must be called when the record is locked. The quoted `updated_at`, which records of a list have
   * too, is a tag that does not cover what the record derives from others; it may have another form
   * of the same instant, because clients print what they have parsed. A weak tag never matches,
   * because no representation has one.
   *
   * @param read returns the current representation; called only if there is a condition
   * @param details which one of several records it is
   * @throws DomainError PRECONDITION_FAILED
   */
  async assert(
    read: () => Representation | Promise<Representation>,
    details?: { id: string },
  ): Promise<void> {
    if (!this.tags) return;
    const current = await read();
    const etag = etagOf(current);
    const updatedAt = Date.parse(current.updated_at ?? '');
    if (this.tags.some((tag) => tag === etag || instantOfTag(tag) === updatedAt)) return;
    if (this.tags.some((tag) => isChangedByProxy(tag, etag))) {
      throw new DomainError(
        'PRECONDITION_FAILED',
        'A proxy that compresses responses has changed the ETag in If-Match: let it not compress JSON, or send updated_at',
        { ...details, cause: 'proxy' },
      );
    }
    throw new DomainError(
      'PRECONDITION_FAILED',
      'The resource has changed: neither its ETag nor its updated_at is in If-Match',
      details,
    );
  }
}

/** Milliseconds since 1970 of a strong tag that is a timestamp with an offset. */
const instantOfTag = (tag: string): number | undefined =>
  parseTimestamp(/^"(.*)"$/.exec(tag)?.[1])?.getTime();

/**
 * Whether the tag is the ETag as proxies change it when they compress: `W/"tag"` of nginx,
 * `"tag-gzip"` of Apache.
 */
function isChangedByProxy(tag: string, etag: string): boolean {
  const strong = tag.replace(/^W\//, '');
  const opening = etag.slice(0, -1);
  return strong.startsWith(opening) && /^(-[a-z]+)?"$/i.test(strong.slice(opening.length));
}

/** The precondition of a request without `If-Match`. */
export const NO_PRECONDITION = Precondition.ofIfMatch(undefined);
