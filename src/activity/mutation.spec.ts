import { describe, expect, it } from '@jest/globals';
import { describeMutation } from './mutation.js';

const present = { name: 'Card', active: true };
const gone = { name: 'Card', active: false };

describe('describeMutation', () => {
  it('describeMutation is undefined if nothing changed', () => {
    expect(describeMutation({ before: present, after: present })).toBeUndefined();
  });

  it('describeMutation calls it updated where nothing more specific fits', () => {
    expect(describeMutation({ before: present, after: { ...present, name: 'Cash' } })).toEqual({
      action: 'updated',
      changes: { name: { from: 'Card', to: 'Cash' } },
    });
  });

  it('describeMutation names a deletion and a restoration', () => {
    expect(describeMutation({ before: present, after: gone })).toEqual({
      action: 'deactivated',
      changes: { active: { from: true, to: false } },
    });
    expect(describeMutation({ before: gone, after: present })).toEqual({
      action: 'reactivated',
      changes: { active: { from: false, to: true } },
    });
  });

  it("describeMutation prefers the entity's own action, which sees the changes", () => {
    const mutation = describeMutation({ before: present, after: gone }, (changes) =>
      'active' in changes ? 'status_changed' : undefined,
    );
    expect(mutation?.action).toBe('status_changed');
  });
});
