import { join } from 'node:path';
import { isProgram } from '../../platform/processes/find-program.ts';

/** Only these: a perl that an agent can write would be the agent's launcher. */
const PERLS = ['/usr/bin/perl', '/bin/perl'];

/** The folder of the hooks' socket. Wrapped commands see an empty one in its place. */
export function hooksFolder(dataFolder: string): string {
  return join(dataFolder, 'run', 'hooks');
}

export function hooksSocket(dataFolder: string): string {
  return join(hooksFolder(dataFolder), 'hooks.sock');
}

/** Names the process that listens, so that a client can tell it from an impostor. */
export function serverFile(dataFolder: string): string {
  return join(hooksFolder(dataFolder), 'server');
}

/** The perl that runs the client, on a system where it can check who answers. */
export function findPerl(): string | undefined {
  return process.platform === 'linux' ? PERLS.find(isProgram) : undefined;
}

/** Why no client can ask the resident process on this system, so that every hook takes the cold path. */
export function whyNoClient(): string | undefined {
  if (process.platform !== 'linux') return `the client cannot check who answers on ${process.platform}`;
  return findPerl() === undefined ? `none of ${PERLS.join(', ')} exists` : undefined;
}

/**
 * Passes a hook's event to the resident process and prints its answer. The cold launcher answers instead where no sandbox
 * holds the agent, nobody listens, another process than the recorded one listens, or the answer is late or incomplete.
 * No module is loaded: each costs more than the exchange.
 */
export function perlClientText(
  perl: string,
  { node, program, dataFolder }: { node: string; program: string; dataFolder: string },
  cold: string,
): string {
  return `#!${perl} -T
# Written by guardkit init. Answers the hooks of a coding agent; guardkit uninstall removes it.
my ($home, $node, $cold) = (${perlText(dataFolder)}, ${perlText(node)}, ${perlText(cold)});
my $program = ${perlText(program)};
my ($agent, $never) = map { /^([\\w-]{1,40})$/ ? $1 : 'invalid' } @ARGV;
my ($input, $event, $parent, @serve) = ('', '', getppid);
binmode STDIN; binmode STDOUT; binmode STDERR;
while (my $n = sysread STDIN, my $part, 1 << 20) { $input .= $part }
my ($code, $out, $err) = eval { local $SIG{PIPE} = 'IGNORE'; ask() };
alarm 0;
if (defined $code && ($code == 0 || $code == 2 && $never ne '--never-refuse')) {
  print STDERR $err;
  print STDOUT $out or exit 2;
  exit $code;
}
cold();

sub ask {
  my $folder = "$home/run/hooks";
  # Only a sandbox keeps an agent from taking the server's place.
  die if index($ENV{CLAUDE_CODE_SHELL_PREFIX} // '', "$home/shell/") != 0;
  # Without an answer, the cold program starts the server.
  @serve = '--serve';
  open my $file, '<', "$folder/server" or die;
  my ($pid, $started) = <$file> =~ /^(\\d+) (\\d+) / or die;
  my $here = readlink '/proc/self/cwd' or die;
  chdir $folder or die;
  my $server_pid;
  # It may be stopped.
  local $SIG{ALRM} = sub { kill 'CONT', $server_pid if $server_pid; die };
  alarm 2;
  socket my $server, 1, 1, 0 or die;
  my $joined = connect $server, pack 'Sa*', 1, 'hooks.sock';
  $here =~ /^(.*)$/s;
  chdir $1 or die;
  die unless $joined;
  my ($peer, $uid) = unpack 'i2', getsockopt $server, 1, 17;
  open my $stat, '<', "/proc/$pid/stat" or die;
  my @fields = split ' ', (<$stat> =~ /.*\\) (.*)/s)[0];
  die unless $peer == $pid && $uid == $< && $fields[19] == $started && readlink("/proc/$pid/exe") eq $node;
  $server_pid = $pid;
  my $build = join "\\n", map { join ' ', (stat)[1, 9, 7], $_ } $program, $node;
  if (open my $random, '<', '/proc/sys/kernel/random/uuid') { <$random> =~ /^([\\w-]+)/ and $event = $1 }
  my $body = join "\\0", "=build=$build", "=cwd=$here", "=parent=$parent", "=event=$event", (map { "$_=$ENV{$_}" } keys %ENV), '', $input;
  my $asked = "POST /$agent HTTP/1.1\\r\\nHost: guardkit\\r\\nConnection: close\\r\\nContent-Length: " . length($body) . "\\r\\n\\r\\n$body";
  for (my $at = 0; $at < length $asked;) { $at += syswrite($server, $asked, 1 << 20, $at) || die }
  my $answer = '';
  while (1) {
    my $n = sysread $server, $answer, 1 << 16, length $answer;
    die unless defined $n;
    last if $n == 0;
    # It is at work.
    alarm 2;
  }
  $answer =~ s/^(?:HTTP\\/1\\.1 1\\d\\d [^\\r]*\\r\\n\\r\\n)+//;
  # The project has turned the server off.
  @serve = () if $answer =~ /^HTTP\\/1\\.1 404 /;
  my ($length, $rest) = $answer =~ /^HTTP\\/1\\.1 200 .*?\\r\\nContent-Length: (\\d+)\\r\\n.*?\\r\\n\\r\\n(.*)$/si or die;
  die if $length != length $rest;
  my ($end, $size, $texts) = $rest =~ /^(\\d+) (\\d+)\\n(.*)$/s or die;
  return ($end, substr($texts, 0, $size), substr($texts, $size));
}

sub cold {
  $ENV{PATH} =~ /^(.*)$/s and $ENV{PATH} = $1;
  delete @ENV{qw(IFS CDPATH ENV BASH_ENV)};
  # A pipe takes this much without a reader.
  if (length $input <= 60000) {
    pipe my $read, my $write or refuse();
    syswrite($write, $input) == length $input or refuse() if length $input;
    close $write;
    open STDIN, '<&', $read or refuse();
  } else {
    my $path = "$home/run/hooks/payload-$$";
    open my $file, '+>', $path or refuse();
    unlink $path;
    print $file $input and seek $file, 0, 0 or refuse();
    open STDIN, '<&', $file or refuse();
    sysseek STDIN, 0, 0;
  }
  exec { '/bin/sh' } 'sh', $cold, $agent, $never // '', @serve, $event eq '' ? () : "--event=$event";
  refuse();
}

sub refuse {
  if (defined $never && $never eq '--never-refuse') {
    print qq({"systemMessage":"GuardKit hook failed: $!. Run guardkit doctor in a terminal."}\\n);
    exit 0;
  }
  print STDERR "GuardKit hook failed, so this is refused: $!. Run guardkit doctor in a terminal.\\n";
  exit 2;
}
`;
}

/** A text in single quotes, as perl reads it. */
function perlText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
