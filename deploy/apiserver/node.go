// Stands in for the scheduler and the kubelet of a node, for deploy/try-apiserver.sh. It binds each pod, gives it a network namespace and
// an address, starts its containers as processes of this machine, reports their states, and ends them when the pod is deleted. It
// serves logs and port-forwards to the API server; the port-forward is the code of the kubelet's streaming server.
//
// There are no images, mounts, limits or namespaces of processes. The words after the options stand for the entry point of each image. Three
// names of images are special: "missing" cannot be pulled, "broken" ends with an error, and a pod with "unscheduled" gets no node.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/kubelet/pkg/cri/streaming/portforward"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

const (
	name = "node-1"
	// address of this machine, the same for all pods
	host = "10.77.0.1"
)

type container struct {
	process        *os.Process
	started, ended metav1.Time
	code           int
	// reason and message while it cannot start
	waits, why string
}

type pod struct {
	namespace, name string
	number          int
	folder          string
	containers      map[string]*container
	// what was reported last
	reported string
	// when the containers were asked to end
	asked   time.Time
	deleted bool
}

func (p *pod) space() string   { return fmt.Sprintf("jdyno-try-%d", p.number) }
func (p *pod) device() string  { return fmt.Sprintf("jdtry%d", p.number) }
func (p *pod) address() string { return fmt.Sprintf("10.77.%d.2", p.number) }
func (p *pod) log(container string) string {
	return filepath.Join(p.folder, container+".log")
}

type node struct {
	client *kubernetes.Clientset
	folder string
	image  []string
	next   int

	// guards what follows: the server for logs and port-forwards reads it, and the ends of processes are written there
	mutex sync.Mutex
	pods  map[types.UID]*pod
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "of a user with all rights")
	folder := flag.String("folder", "", "for logs and mounted files")
	certificates := flag.String("certificates", "", "folder with ca.crt, server.crt and server.key")
	port := flag.Int("port", 0, "of the server for the API server")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	config.QPS, config.Burst = 100, 200
	n := &node{client: kubernetes.NewForConfigOrDie(config), folder: *folder, image: flag.Args(), pods: map[types.UID]*pod{}}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	must(n.register(ctx, *port))
	go n.serve(*certificates, *port)
	for ctx.Err() == nil {
		if err := n.look(ctx); err != nil && ctx.Err() == nil {
			log.Print(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, p := range n.pods {
		p.signal(syscall.SIGKILL)
		p.remove()
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func (n *node) register(ctx context.Context, port int) error {
	room := v1.ResourceList{"cpu": resource.MustParse("64"), "memory": resource.MustParse("64Gi"), "pods": resource.MustParse("110")}
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1.LabelHostname: name}}}
	node, err := n.client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	node.Status = v1.NodeStatus{
		Capacity: room, Allocatable: room,
		Conditions:      []v1.NodeCondition{{Type: v1.NodeReady, Status: v1.ConditionTrue, LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(), Reason: "Try"}},
		Addresses:       []v1.NodeAddress{{Type: v1.NodeInternalIP, Address: "127.0.0.1"}},
		DaemonEndpoints: v1.NodeDaemonEndpoints{KubeletEndpoint: v1.DaemonEndpoint{Port: int32(port)}},
	}
	_, err = n.client.CoreV1().Nodes().UpdateStatus(ctx, node, metav1.UpdateOptions{})
	return err
}

func (n *node) look(ctx context.Context) error {
	list, err := n.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	listed := map[types.UID]bool{}
	for i := range list.Items {
		p := &list.Items[i]
		listed[p.UID] = true
		if err := n.step(ctx, p); err != nil && !errors.IsConflict(err) && !errors.IsNotFound(err) {
			log.Printf("%s/%s: %v", p.Namespace, p.Name, err)
		}
	}
	for uid, own := range n.pods {
		if !listed[uid] {
			own.signal(syscall.SIGKILL)
			own.remove()
			delete(n.pods, uid)
		}
	}
	return nil
}

// step brings a pod nearer to what the API wants.
func (n *node) step(ctx context.Context, p *v1.Pod) error {
	pods := n.client.CoreV1().Pods(p.Namespace)
	if p.Spec.NodeName == "" {
		if strings.Contains(p.Spec.Containers[0].Image, "unscheduled") {
			if len(p.Status.Conditions) > 0 {
				return nil
			}
			p.Status.Conditions = []v1.PodCondition{{Type: v1.PodScheduled, Status: v1.ConditionFalse, LastTransitionTime: metav1.Now(),
				Reason: v1.PodReasonUnschedulable, Message: "0/1 nodes are available: 1 Insufficient cpu."}}
			_, err := pods.UpdateStatus(ctx, p, metav1.UpdateOptions{})
			return err
		}
		return pods.Bind(ctx, &v1.Binding{ObjectMeta: metav1.ObjectMeta{Name: p.Name, UID: p.UID}, Target: v1.ObjectReference{Kind: "Node", Name: name}}, metav1.CreateOptions{})
	}
	own := n.pods[p.UID]
	if own == nil {
		if p.DeletionTimestamp != nil {
			return n.remove(ctx, p)
		}
		n.next++
		own = &pod{namespace: p.Namespace, name: p.Name, number: n.next, folder: filepath.Join(n.folder, fmt.Sprint(n.next)), containers: map[string]*container{}}
		if err := own.prepare(); err != nil {
			return err
		}
		n.pods[p.UID] = own
	}
	if p.DeletionTimestamp != nil {
		return n.end(ctx, p, own)
	}
	for _, c := range p.Spec.Containers {
		n.keep(ctx, p, own, c)
	}
	for _, c := range p.Spec.EphemeralContainers {
		n.keep(ctx, p, own, v1.Container(c.EphemeralContainerCommon))
	}
	return n.report(ctx, p, own)
}

// keep starts a container that has not started yet.
func (n *node) keep(ctx context.Context, p *v1.Pod, own *pod, c v1.Container) {
	is := own.containers[c.Name]
	if is != nil && is.process != nil {
		return
	}
	if is == nil {
		is = &container{}
		own.containers[c.Name] = is
	}
	if strings.Contains(c.Image, "missing") {
		if is.waits == "" {
			is.waits, is.why = "ErrImagePull", "failed to pull and unpack image \""+c.Image+"\": not found"
		} else {
			is.waits, is.why = "ImagePullBackOff", "Back-off pulling image \""+c.Image+"\""
		}
		return
	}
	if err := n.start(ctx, p, own, c, is); err != nil {
		is.waits, is.why = "CreateContainerError", err.Error()
	}
}

func (n *node) start(ctx context.Context, p *v1.Pod, own *pod, c v1.Container, is *container) error {
	variables := map[string]string{}
	for _, e := range c.Env {
		value := e.Value
		if e.ValueFrom != nil && e.ValueFrom.FieldRef != nil {
			path := e.ValueFrom.FieldRef.FieldPath
			if path == "status.podIP" {
				value = own.address()
			} else if key, ok := strings.CutPrefix(path, "metadata.annotations['"); ok {
				value = p.Annotations[strings.TrimSuffix(key, "']")]
			}
		}
		variables[e.Name] = value
	}
	expand := func(text string) string { return expansion.Expand(text, expansion.MappingFuncFor(variables)) }
	security := merged(p, c)
	// a container has a /tmp of its own
	places := []string{"=/tmp/", "=" + own.folder + "/tmp/"}
	for _, m := range c.VolumeMounts {
		if m.SubPathExpr == "" {
			continue // such as the token of the service account
		}
		file, err := n.mounted(ctx, p, own, m, expand(m.SubPathExpr), security)
		if err != nil {
			return err
		}
		places = append(places, m.MountPath, file)
	}
	words := n.image
	if len(c.Command) > 0 {
		words = nil
	}
	if strings.Contains(c.Image, "broken") {
		words = []string{"sh", "-c", "echo cannot read the key >&2; exit 3"}
	}
	for _, w := range append(append([]string{}, c.Command...), c.Args...) {
		words = append(words[:len(words):len(words)], strings.NewReplacer(places...).Replace(expand(w)))
	}
	all := append([]string{"netns", "exec", own.space()}, security.words()...)
	command := exec.Command("ip", append(all, words...)...)
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + own.folder + "/tmp", "LC_ALL=C.UTF-8"}
	for key, value := range variables {
		command.Env = append(command.Env, key+"="+value)
	}
	command.Dir = own.folder + "/tmp"
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := os.Create(own.log(c.Name))
	if err != nil {
		return err
	}
	defer out.Close()
	command.Stdout, command.Stderr = out, out
	if err := command.Start(); err != nil {
		return err
	}
	is.process, is.started, is.waits = command.Process, metav1.Now(), ""
	log.Printf("%s/%s: %s is process %d at %s", p.Namespace, p.Name, c.Name, command.Process.Pid, own.address())
	go func() {
		_ = command.Wait()
		n.mutex.Lock()
		defer n.mutex.Unlock()
		is.ended, is.code = metav1.Now(), command.ProcessState.ExitCode()
		if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			is.code = 128 + int(status.Signal())
		}
	}()
	return nil
}

// mounted writes a file of a Secret as the kubelet does: it belongs to root and the group fsGroup.
func (n *node) mounted(ctx context.Context, p *v1.Pod, own *pod, m v1.VolumeMount, key string, security security) (string, error) {
	for _, volume := range p.Spec.Volumes {
		if volume.Name != m.Name || volume.Secret == nil {
			continue
		}
		secret, err := n.client.CoreV1().Secrets(p.Namespace).Get(ctx, volume.Secret.SecretName, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		data, ok := secret.Data[key]
		if !ok {
			return "", fmt.Errorf("the Secret has no key %s", key)
		}
		file := filepath.Join(own.folder, m.Name)
		mode := os.FileMode(*volume.Secret.DefaultMode)
		if err := os.WriteFile(file, data, mode); err != nil {
			return "", err
		}
		return file, os.Chown(file, 0, int(security.shared))
	}
	return "", fmt.Errorf("no such volume: %s", m.Name)
}

type security struct{ user, group, shared int64 }

func merged(p *v1.Pod, c v1.Container) security {
	var s security
	set := func(to *int64, values ...*int64) {
		for _, value := range values {
			if value != nil {
				*to = *value
			}
		}
	}
	whole, own := p.Spec.SecurityContext, c.SecurityContext
	if whole == nil {
		whole = &v1.PodSecurityContext{}
	}
	if own == nil {
		own = &v1.SecurityContext{}
	}
	set(&s.user, whole.RunAsUser, own.RunAsUser)
	set(&s.group, whole.RunAsGroup, own.RunAsGroup)
	set(&s.shared, whole.FSGroup)
	return s
}

func (s security) words() []string {
	if s.user == 0 {
		return nil
	}
	return []string{"setpriv", fmt.Sprintf("--reuid=%d", s.user), fmt.Sprintf("--regid=%d", s.group), fmt.Sprintf("--groups=%d", s.shared),
		"--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"}
}

// prepare makes the folder and the network of a pod: a loopback device, and an address that this host reaches without NAT.
func (p *pod) prepare() error {
	if err := os.MkdirAll(p.folder+"/tmp", 0o755); err != nil {
		return err
	}
	if err := os.Chmod(p.folder+"/tmp", 0o777|os.ModeSticky); err != nil {
		return err
	}
	for _, line := range []string{
		"netns add " + p.space(),
		"link add " + p.device() + " type veth peer name eth0 netns " + p.space(),
		"addr add " + host + " peer " + p.address() + " dev " + p.device(),
		"link set " + p.device() + " up",
		"-n " + p.space() + " link set lo up",
		"-n " + p.space() + " addr add " + p.address() + " peer " + host + " dev eth0",
		"-n " + p.space() + " link set eth0 up",
		"-n " + p.space() + " route add default via " + host,
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
	}
	return nil
}

func (p *pod) remove() {
	if out, err := exec.Command("ip", "netns", "delete", p.space()).CombinedOutput(); err != nil {
		log.Printf("%v: %s", err, out)
	}
}

func (p *pod) signal(signal syscall.Signal) (left bool) {
	for _, c := range p.containers {
		if c.process != nil && c.ended.IsZero() {
			left = true
			_ = syscall.Kill(-c.process.Pid, signal)
		}
	}
	return left
}

func (n *node) end(ctx context.Context, p *v1.Pod, own *pod) error {
	if own.asked.IsZero() {
		own.asked = time.Now()
		own.signal(syscall.SIGTERM)
	}
	limit := time.Duration(*p.DeletionGracePeriodSeconds) * time.Second
	if time.Since(own.asked) > limit {
		own.signal(syscall.SIGKILL)
	}
	if own.signal(0) || own.deleted {
		return nil
	}
	// the Job counts the pod by its last state
	if err := n.report(ctx, p, own); err != nil {
		return err
	}
	own.deleted = true
	return n.remove(ctx, p)
}

func (n *node) remove(ctx context.Context, p *v1.Pod) error {
	now := int64(0)
	return n.client.CoreV1().Pods(p.Namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &p.UID}})
}

func (c *container) state() v1.ContainerState {
	switch {
	case c == nil:
		return v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: "ContainerCreating"}}
	case c.process == nil:
		return v1.ContainerState{Waiting: &v1.ContainerStateWaiting{Reason: c.waits, Message: c.why}}
	case c.ended.IsZero():
		return v1.ContainerState{Running: &v1.ContainerStateRunning{StartedAt: c.started}}
	}
	reason := "Completed"
	if c.code != 0 {
		reason = "Error"
	}
	return v1.ContainerState{Terminated: &v1.ContainerStateTerminated{ExitCode: int32(c.code), Reason: reason, StartedAt: c.started, FinishedAt: c.ended}}
}

// report writes the state of a pod if it has changed.
func (n *node) report(ctx context.Context, p *v1.Pod, own *pod) error {
	status := *p.Status.DeepCopy()
	status.Phase, status.Conditions, status.ContainerStatuses, status.EphemeralContainerStatuses = v1.PodPending, nil, nil, nil
	status.HostIP, status.HostIPs = "127.0.0.1", []v1.HostIP{{IP: "127.0.0.1"}}
	status.PodIP, status.PodIPs = own.address(), []v1.PodIP{{IP: own.address()}}
	if status.StartTime == nil {
		now := metav1.Now()
		status.StartTime = &now
	}
	ready, running, ended, failed := true, 0, 0, 0
	for _, c := range p.Spec.Containers {
		is := own.containers[c.Name]
		state := is.state()
		up := state.Running != nil && answers(own, c)
		ready = ready && up
		if state.Running != nil {
			running++
		}
		if state.Terminated != nil {
			ended++
			if state.Terminated.ExitCode != 0 {
				failed++
			}
		}
		status.ContainerStatuses = append(status.ContainerStatuses, v1.ContainerStatus{Name: c.Name, Image: c.Image, State: state, Ready: up, Started: &up})
	}
	for _, c := range p.Spec.EphemeralContainers {
		status.EphemeralContainerStatuses = append(status.EphemeralContainerStatuses, v1.ContainerStatus{Name: c.Name, Image: c.Image, State: own.containers[c.Name].state()})
	}
	switch {
	case ended == len(p.Spec.Containers) && failed > 0:
		status.Phase = v1.PodFailed
	case ended == len(p.Spec.Containers):
		status.Phase = v1.PodSucceeded
	case running > 0:
		status.Phase = v1.PodRunning
	}
	for _, condition := range []struct {
		kind  v1.PodConditionType
		holds bool
	}{{v1.PodScheduled, true}, {v1.PodInitialized, true}, {v1.ContainersReady, ready}, {v1.PodReady, ready}} {
		is := v1.ConditionFalse
		if condition.holds {
			is = v1.ConditionTrue
		}
		status.Conditions = append(status.Conditions, v1.PodCondition{Type: condition.kind, Status: is})
	}
	text, err := json.Marshal(status)
	if err != nil || string(text) == own.reported {
		return err
	}
	p.Status = status
	if _, err := n.client.CoreV1().Pods(p.Namespace).UpdateStatus(ctx, p, metav1.UpdateOptions{}); err != nil {
		return err
	}
	own.reported = string(text)
	return nil
}

// answers is the startup probe of a container; true without one.
func answers(own *pod, c v1.Container) bool {
	if c.StartupProbe == nil || c.StartupProbe.TCPSocket == nil {
		return true
	}
	port := int32(c.StartupProbe.TCPSocket.Port.IntValue())
	for _, p := range c.Ports {
		if p.Name == c.StartupProbe.TCPSocket.Port.StrVal {
			port = p.ContainerPort
		}
	}
	connection, err := net.DialTimeout("tcp", net.JoinHostPort(own.address(), strconv.Itoa(int(port))), time.Second)
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}

func (n *node) serve(certificates string, port int) {
	ca, err := os.ReadFile(certificates + "/ca.crt")
	must(err)
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(ca)
	server := &http.Server{
		Addr:      fmt.Sprintf("127.0.0.1:%d", port),
		Handler:   http.HandlerFunc(n.answer),
		TLSConfig: &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients},
	}
	must(server.ListenAndServeTLS(certificates+"/server.crt", certificates+"/server.key"))
}

func (n *node) answer(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(parts) < 3 {
		http.NotFound(w, r)
		return
	}
	own := n.find(parts[1], parts[2])
	switch {
	case own == nil:
		http.Error(w, "pod does not exist", http.StatusNotFound)
	case len(parts) == 4 && parts[0] == "containerLogs":
		text, err := os.ReadFile(own.log(parts[3]))
		if err != nil {
			http.Error(w, "container \""+parts[3]+"\" is waiting to start", http.StatusBadRequest)
			return
		}
		_, _ = w.Write(wanted(text, r))
	case len(parts) == 3 && parts[0] == "portForward":
		portforward.ServePortForward(w, r, own, own.name, "", &portforward.V4Options{}, time.Hour, 30*time.Second, portforward.SupportedProtocols)
	default:
		http.NotFound(w, r)
	}
}

func (n *node) find(namespace, name string) *pod {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, own := range n.pods {
		if own.namespace == namespace && own.name == name {
			return own
		}
	}
	return nil
}

// wanted is the part of a log that a request asks for.
func wanted(text []byte, r *http.Request) []byte {
	if tail, err := strconv.Atoi(r.URL.Query().Get("tailLines")); err == nil {
		lines := strings.SplitAfter(string(text), "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		text = []byte(strings.Join(lines[max(0, len(lines)-tail):], ""))
	}
	if limit, err := strconv.Atoi(r.URL.Query().Get("limitBytes")); err == nil && limit < len(text) {
		text = text[:limit]
	}
	return text
}

// PortForward copies between a stream and a port of the pod's loopback device.
func (p *pod) PortForward(_ context.Context, _ string, _ types.UID, port int32, stream io.ReadWriteCloser) error {
	connection, err := p.dial(port)
	if err != nil {
		return err
	}
	defer connection.Close()
	ends := make(chan error, 2)
	go func() {
		_, err := io.Copy(stream, connection)
		ends <- err
	}()
	go func() {
		_, err := io.Copy(connection, stream)
		ends <- err
	}()
	err = <-ends
	select {
	case <-ends:
	case <-time.After(time.Second):
	}
	return err
}

// dial connects from inside the pod's network namespace. The thread that entered it is not used again: it ends with its goroutine.
func (p *pod) dial(port int32) (connection net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		var space *os.File
		if space, err = os.Open("/var/run/netns/" + p.space()); err != nil {
			return
		}
		defer space.Close()
		if err = unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err != nil {
			return
		}
		connection, err = net.DialTimeout("tcp4", fmt.Sprintf("127.0.0.1:%d", port), 10*time.Second)
	}()
	<-done
	return connection, err
}
