import { afterAll, beforeAll, describe, it } from '@jest/globals';
import {
  buildImage,
  buildPreviousImage,
  docker,
  EmbeddedContainers,
  IMAGE,
  PREVIOUS_IMAGE,
} from '../support/containers.js';
import { PostgresContainer } from '../support/postgres-container.js';
import { useBesideVersionBefore } from '../support/rolling-update.js';

describe('a rolling update', () => {
  const containers = new EmbeddedContainers();
  const postgres = new PostgresContainer();

  beforeAll(async () => {
    await buildImage(IMAGE);
    await buildPreviousImage();
  });

  afterAll(() => postgres.stop());

  it('a rolling update serves requests with this version and the one before at the same time', async () => {
    const options = await postgres.start({});
    const volume = containers.volume('rolling');
    const previous = { ...options, image: PREVIOUS_IMAGE, volume, memory: '2g' };
    const before = await containers.start(previous);
    // This version migrates the database while the one before runs.
    const after = await containers.start({ ...options, volume: containers.volume('rolled') });
    await useBesideVersionBefore(before.origin, after.origin);
    await docker(['stop', before.name, after.name]);
  });
});
