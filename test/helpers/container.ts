import { join } from 'node:path';
import { type ComposeService, copiesOf, lastStage } from './compose.ts';
import { read, root } from './documents.ts';
import { findProgram } from './programs.ts';

/** The id of the user `node` in the images of Node. */
const NODE = '1000';
const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The system, in place of the base image's. */
const system = ['/usr', '/bin', '/lib', '/lib64', '/sbin', '/etc'];

interface Options {
  /** What is mounted at the service's volume, a folder of this machine. */
  volume: string;
  /**
   * More files and folders of this machine, by their paths in the container. They can be written
   * to.
   */
  mounts?: Record<string, string>;
  /** Added to the image's variables. */
  env?: Record<string, string>;
}

/**
 * How bubblewrap runs a program as Docker would in a container of our image: with the image's
 * files, variables, user and folder, and with what the compose file says of a service. The network
 * is this machine's. Ask `needProgram` first.
 * @param service the compose file's; where it lacks a line, the sandbox lacks what that line is for
 * @returns the words before the program's
 */
export function containerOf(
  service: ComposeService,
  { volume, mounts = {}, env = {} }: Options,
): [string, ...string[]] {
  const image = imageOf(read('Dockerfile'));
  const user = image.user === 'node' ? ['--uid', NODE, '--gid', NODE] : [];
  return [
    findProgram('bubblewrap')!,
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--die-with-parent',
    ...user,
    ...(service.cap_drop ?? []).flatMap((name) => ['--cap-drop', name]),
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--dir',
    '/home/node',
    '--chdir',
    image.folder,
    ...image.files.flatMap(({ from, to }) => [
      '--ro-bind',
      join(root, from),
      join(image.folder, to),
    ]),
    ...(service.tmpfs ?? []).flatMap((path) => ['--tmpfs', path]),
    '--bind',
    volume,
    service.volumes![0]!,
    ...Object.entries(mounts).flatMap(([to, from]) => ['--bind', from, to]),
    ...(service.read_only ? ['--remount-ro', '/'] : []),
    '--clearenv',
    '--setenv',
    'HOME',
    '/home/node',
    ...Object.entries({ ...image.variables, ...env }).flatMap(([name, value]) => [
      '--setenv',
      name,
      value,
    ]),
  ];
}

/** The command that the image runs. */
export const imageCommand = (): string[] => imageOf(read('Dockerfile')).command;

function imageOf(dockerfile: string) {
  const stage = lastStage(dockerfile);
  const last = (name: string) =>
    stage.findLast(({ instruction }) => instruction === name)?.words ?? [];
  const pairs = stage
    .filter(({ instruction }) => instruction === 'ENV')
    .flatMap(({ words }) =>
      words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
  const variables = Object.fromEntries(
    pairs.map(([name, value]) => [name, value.replace('$PATH', usualPath)]),
  );
  const files = [{ from: 'node_modules', to: 'node_modules' }, ...copiesOf(dockerfile)];
  return {
    files,
    variables,
    folder: last('WORKDIR')[0]!,
    user: last('USER')[0],
    command: last('CMD'),
  };
}
